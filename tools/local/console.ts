import { setTimeout as sleep } from 'node:timers/promises';
import { serveConsole } from '../console/serve.ts';
import { localDeployment } from '../operator/deployment/local-deployment.ts';
import { typedLine } from '../terminal/help.ts';
import type { Terminal } from './start/terminal.ts';

/**
 * Serves the administration console of the local run, and prints a link to it.
 *
 * @param port undefined: the usual port, or any
 * @returns a function that stops the console
 */
export async function startConsole(
  port: number | undefined,
  stateDirectory: string,
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const newLink = typedLine('npm run -s admin --', ['--local', '--state', stateDirectory, 'console']);
  const console = await serveConsole({
    port,
    now: Date.now,
    open: async () => ({
      deployment: await localDeployment(stateDirectory),
      kind: 'local',
      name: 'local run',
      readOnly: false,
      now: Date.now,
      sleep,
      env: process.env,
      howToGetLink: `Run ${newLink} to get a new one.`,
    }),
  });
  terminal.say(`console ${console.newLink()}`);
  return console.close;
}
