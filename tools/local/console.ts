import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningConsole, serveConsole } from '../console/serve.ts';
import { typedLine } from '../terminal/help.ts';
import { localDeployment } from './local-deployment.ts';
import type { LocalRunOptions } from './start/options.ts';

/**
 * Serves the administration console of the local run. Before the run is ready, the console responds with 503.
 *
 * @throws {OperationError} if the port is taken
 */
export function startConsole({
  consolePort,
  state: stateDirectory,
}: Pick<LocalRunOptions, 'consolePort' | 'state'>): Promise<RunningConsole> {
  const newLink = typedLine('npx file-sync-admin', ['--local', '--state', stateDirectory, 'console']);
  return serveConsole({
    port: consolePort,
    portFlag: '--console-port',
    now: Date.now,
    open: async () => ({
      deployment: await localDeployment(stateDirectory),
      name: 'local run',
      readOnly: false,
      sleep,
      newLinkHint: `Run ${newLink} to get a new one.`,
    }),
  });
}
