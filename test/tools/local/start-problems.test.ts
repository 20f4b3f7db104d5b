import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLocal } from '../../../tools/local/main.ts';
import { type FinishedRun, localRunParameters, runUntilExit } from '../../support/local-run.ts';
import { TextCollector } from '../../support/text-stream.ts';

/** The command line in this process, which takes a tenth of the time that a process of its own would. */
async function runHere(
  options: Parameters<typeof localRunParameters>[0],
  signal = AbortSignal.timeout(30_000),
): Promise<FinishedRun> {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const code = await runLocal(localRunParameters(options), { stdout, stderr, env: {}, signal });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

describe('a process that cannot start says so by its exit code', () => {
  let stateDirectory: string;

  beforeAll(async () => {
    stateDirectory = await mkdtemp(join(tmpdir(), 'file-sync-run-'));
  });

  afterAll(() => rm(stateDirectory, { recursive: true, force: true }));

  it.each([
    ['2 for a wrong command line', { flags: ['--prot', '3000'] }, 2, /--prot/],
    // In the stack's own words.
    ['2 for a wrong setting', { context: { stage: 'test' } }, 2, /^error: .*"test".* of stage .*\n$/],
  ])('%s', async (_, options, exitCode, message) => {
    const { code, stderr } = await runUntilExit({ stateDirectory, ...options });
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(message);
  });
});

describe('a run that cannot start says why and what to do', () => {
  let stateDirectory: string;

  beforeAll(async () => {
    stateDirectory = await mkdtemp(join(tmpdir(), 'file-sync-run-'));
  });

  afterAll(() => rm(stateDirectory, { recursive: true, force: true }));

  it.each([
    ['port', '--port'],
    ['awsPort', '--aws-port'],
  ])('when the port for %s is taken', async (option, flag) => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(Object(server.address()).port));
    });
    try {
      const { code, stdout, stderr } = await runHere({ stateDirectory, [option]: port });
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`^error: Port ${port} .*npm start -- ${flag} ${port + 1}\\n$`));
      expect(stdout).not.toContain('ready');
    } finally {
      server.close();
    }
  });

  it('when its folder holds something else, which it never touches, not even with --fresh', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'file-sync-other-'));
    await writeFile(join(directory, 'diary.txt'), 'dear diary');
    const { code, stderr } = await runHere({ stateDirectory: directory, flags: ['--fresh'] });
    expect(code).toBe(1);
    expect(stderr).toContain('holds other things than the state of a local run');
    expect(await readdir(directory)).toEqual(['diary.txt']);
    await rm(directory, { recursive: true });
  });

  it('when it is asked to end before it is ready', async () => {
    const { code, stdout, stderr } = await runHere({ stateDirectory }, AbortSignal.abort());
    expect(code).toBe(0);
    expect(stdout).not.toContain('ready');
    expect(stderr).toBe('Stopped before it was ready.\n');
    expect(await readdir(stateDirectory)).not.toContain('lock.json');
  });
});
