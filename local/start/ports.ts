import { createServer } from 'node:net';
import { StartProblem } from '../../emulator/shared/start-problem.ts';

export type PortFlag = '--port' | '--aws-port';

/** Whether an error says that a port is taken, or may not be used. */
export function isPortError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'EADDRINUSE' || error.code === 'EACCES';
}

/** Says which port it is and what to do. */
export function portProblem(port: number, flag: PortFlag): StartProblem {
  const other = port === 0 ? 3000 : port + 1;
  return new StartProblem(
    `Port ${port} on 127.0.0.1 is taken by another program, or not allowed. ` +
      `Stop that program, or choose another port with ${flag}, as in: npm start -- ${flag} ${other}`,
  );
}

/**
 * Finds out that a port is free before a minute is spent on everything else.
 *
 * @throws {StartProblem} when it is not
 */
export async function checkPort(port: number, flag: PortFlag): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    throw isPortError(error) ? portProblem(port, flag) : error;
  } finally {
    server.close();
  }
}
