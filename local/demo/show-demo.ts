import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Terminal } from '../start/terminal.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs the demonstration in a process of its own. So it calls the run from outside, as any client does, and the SDK
 * that it needs does not stay in the memory of the server. If the demonstration fails, it says so, and the run
 * continues to serve, so that the user can find the reason.
 */
export async function showDemo(
  stateDirectory: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', program, stateDirectory], {
    cwd: projectRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
    killSignal: 'SIGTERM',
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (code !== 0 && !signal.aborted) {
    terminal.warn(
      'The demonstration failed. The API serves all the same; the folder logs of the state folder says more.',
    );
  }
}
