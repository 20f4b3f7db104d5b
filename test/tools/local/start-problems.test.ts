import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { eventChaosVariable } from '../../../tools/local/run.ts';
import { listen } from '../../support/listen.ts';
import { startHere } from './support/start-here.ts';

const stateDirectory = await temporaryFolder();

async function start(options: Partial<Parameters<typeof startHere>[0]>) {
  const { stop, stdout, stderr } = await startHere({ stateDirectory, ...options });
  const code = await stop();
  expect(stdout()).not.toContain('ready');
  return { code, stdout: stdout(), stderr: stderr() };
}

const takenPort = async () => Number(new URL(await listen(createServer())).port);

describe('a run that cannot start prints the reason and the next step', () => {
  test.for(['--port', '--aws-port'])('when the port of %s is taken', async (flag) => {
    const port = await takenPort();
    const { code, stderr } = await start({ flags: `--no-demo --no-console ${flag} ${port}` });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^error: Port ${port} .*npm start -- ${flag} ${port + 1}\\n$`));
  });

  test('when the port for the console is taken, before any work', async () => {
    const port = await takenPort();
    const { code, stdout, stderr } = await start({ flags: `--no-demo --console-port ${port}` });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `error: The console cannot use port ${port}: address already in use (EADDRINUSE). ` +
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

  test.for([
    ['says where to look', {}, /--state, or set DEBUG=1 to see where it failed\.\n$/],
    ['shows where it failed', { DEBUG: '1' }, /\n {4}at .*run\.ts/],
  ] as const)('when the reason is not known: it %s', async ([, env, says]) => {
    vi.stubEnv(eventChaosVariable, 'no JSON');
    const { code, stderr } = await start({ env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The local run could not start: Unexpected token .*\nLook into /);
    expect(stderr).toMatch(says);
  });

  test.for([
    ['synthesizes', '--no-demo --no-console', 'Creating the CloudFormation template'],
    ['runs the demonstration', '--no-console', '\nDemonstration of an upload'],
  ])('when it is stopped while it %s', async ([, flags = '', until = '']) => {
    const state = await temporaryFolder();
    const plain = { isTTY: true, env: { NO_COLOR: '1' } };
    const { code, stderr } = await start({ stateDirectory: state, flags, until, ...plain });
    expect({ code, stderr }).toEqual({ code: 130, stderr: '\nStopped before it was ready.\n' });
    expect((await readdir(state)).filter((name) => /^(run|lock)\.json/.test(name))).toEqual([]);
  });
});
