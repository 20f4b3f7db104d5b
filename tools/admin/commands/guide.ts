import type { Command } from 'commander';
import { guideFor } from '../../operator/clients/guide/page.ts';
import { createCommand } from '../../terminal/help.ts';
import { showJson } from '../../terminal/output.ts';
import { type AdminContext, act } from './session.ts';

/** Creates the command `admin client guide`. */
export function guideCommand(context: AdminContext): Command {
  return createCommand(
    'guide',
    'create a guide for the application of a client',
    'Create a guide for the developers of a client: one HTML page, for a screen and for paper, with the values, the ' +
      'requests, the limits and the errors. The page does not contain the client secret. It goes to standard output.',
    '--local client guide CLIENT_ID > guide.html',
  )
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        const { html } = await guideFor(await open(), clientId);
        if (output.json) {
          showJson(output, { html });
        } else {
          output.stdout.write(html);
        }
      }),
    );
}
