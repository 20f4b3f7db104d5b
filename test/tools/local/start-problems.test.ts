import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { runLocal } from '../../../tools/local/main.ts';
import { listen } from '../../support/listen.ts';
import { localRunParameters } from '../../support/local-run.ts';
import { TextCollector } from '../../support/text-stream.ts';

const stateDirectory = await temporaryFolder();

/** The command line in this process, which takes a tenth of the time that a process of its own would. */
async function start(
  options: Partial<Parameters<typeof localRunParameters>[0]>,
  signal = AbortSignal.timeout(30_000),
) {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const parameters = localRunParameters({ stateDirectory, ...options });
  const code = await runLocal(parameters, { stdout, stderr, env: {}, signal });
  expect(stdout.text).not.toContain('ready');
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const takenPort = async () => Number(new URL(await listen(createServer())).port);

describe('a run that cannot start says why and what to do', () => {
  test('when a setting is wrong, in the words of the stack', async () => {
    const { code, stderr } = await start({ context: { stage: 'test' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*"test".* of stage .*\n$/);
  });

  test.for([
    ['port', '--port'],
    ['awsPort', '--aws-port'],
  ])('when the port for %s is taken', async ([option = '', flag]) => {
    const port = await takenPort();
    const { code, stderr } = await start({ [option]: port });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: Port ${port} .*npm start -- ${flag} ${port + 1}\\n$`));
  });

  test('when the port for the console is taken, before any work', async () => {
    const port = await takenPort();
    const { code, stdout, stderr } = await start({ flags: ['--console-port', String(port)] });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `error: The console cannot use port ${port}: another program uses it, perhaps another console (EADDRINUSE). ` +
        'Choose another port with --console-port, or any free port with --console-port 0.\n',
    );
  });

  test.runIf(existsSync('/dev/full'))('when the disk is full, and that nothing is lost', async () => {
    const state = join(stateDirectory, 'full');
    await mkdir(state);
    await symlink('/dev/full', join(state, '.file-sync-state'));
    const { code, stderr } = await start({ stateDirectory: state });
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error: The local run could not start: no space is left on the disk (ENOSPC). What was stored is intact. ' +
        'Free some space and start again, or choose a folder on another disk with --state.\n',
    );
  });

  test('when it is asked to end before it is ready', async () => {
    const { code, stderr } = await start({}, AbortSignal.abort());
    expect(code).toBe(0);
    expect(stderr).toBe('Stopped before it was ready.\n');
    expect(await readdir(stateDirectory)).not.toContain('lock.json');
  });
});
