import { Command } from 'commander';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import { messageOf } from '../../operator/errors.ts';
import { type Hit, search } from '../../operator/search.ts';
import { hideSecrets } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showList } from '../../terminal/output.ts';
import type { Column } from '../../terminal/table.ts';
import { type AdminContext, act } from './session.ts';

const helpText = `
Each answer of the API has a request id, in the header apigw-requestid. An
upload keeps the id of the request that got its URL. All other requests are only
in the logs: docs/operations.md says how to search them.`;

const hitColumns: readonly Column<Hit>[] = [
  { heading: 'KIND', value: ({ kind }) => kind },
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name = '-' }) => name },
];

/** `admin search` */
export function searchCommand(context: AdminContext): Command {
  const command = new Command('search')
    .summary('find anything by its id or name')
    .description(
      'Find clients, files, uploads, organisations and signing keys by an id, uploads by the id of a request, and ' +
        'clients and files by a part of their name.',
    )
    .argument('<text>', 'an id, or a part of a name')
    .addHelpText('after', helpText)
    .action(
      act(context, async ({ open, output }, text: string) => {
        if (hideSecrets(text) !== text) {
          throw new UsageError(
            'Do not search for a client secret: other users of this machine can read the secret, and the shell keeps it.',
          );
        }
        const { hits, isCutShort, errors } = await search(await open(), text);
        showList(output, hits, hitColumns, 'hit');
        for (const error of errors) {
          note(output, messageOf(explainAwsError(error, context.env)));
        }
        if (isCutShort) {
          note(
            output,
            'More clients or files have this text in their name: client list --name and file list --name show all.',
          );
        }
        if (hits.length === 0) {
          note(output, 'A request that got no upload URL is only in the logs.');
        }
      }),
    );
  return addExamples(command, '--local search orders', '--stack file-sync-prod search REQUEST_ID');
}
