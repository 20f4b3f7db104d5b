import { once } from 'node:events';
import type { Command } from 'commander';
import { createCommand } from '../../terminal/help.ts';
import { parsePort } from '../../terminal/port.ts';
import { type AdminContext, act } from './session.ts';

interface Flags {
  readonly port?: number;
  readonly readOnly?: true;
}

/** Creates the command `admin console`. */
export function consoleCommand(context: AdminContext): Command {
  return createCommand(
    'console',
    'serve the administration console in a browser',
    'Serve the administration console on this machine until Ctrl-C. The first line on standard output is "console URL" with a link that works once. Press Enter for a new link. The console uses your AWS ' +
      'credentials.',
    '--local console',
    '--stack file-sync-prod console --read-only',
  )
    .option(
      '--port <number>',
      'serve on this port (default: 3100, or any free port if 3100 is taken)',
      parsePort,
    )
    .option('--read-only', 'reject every change')
    .action(
      act(context, async ({ open, output }, { port, readOnly }: Flags) => {
        const deployment = await open();
        await context.runConsole({
          deployment,
          name: deployment.isLocal ? 'local run' : deployment.stackName,
          port,
          readOnly: readOnly === true,
          stdin: context.stdin,
          output,
          ended: interrupted(),
        });
      }),
    );
}

/** Resolves on a signal, which is the normal end of a server. */
function interrupted(): Promise<unknown> {
  return Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
}
