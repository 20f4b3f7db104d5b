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
A request id is the header apigw-requestid of an answer. It is stored with the
upload whose URL that request was answered with. Other requests are in the logs
alone: docs/operations.md says how to look for one.`;

const hitColumns: readonly Column<Hit>[] = [
  { heading: 'KIND', value: ({ kind }) => kind },
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name = '-' }) => name },
];

/** `admin search` */
export function searchCommand(context: AdminContext): Command {
  const command = new Command('search')
    .summary('find what has an id, or a name')
    .description(
      'Find clients, files, uploads, organisations and signing keys by an id, uploads by the id of a request too, and ' +
        'clients and files by a part of their name.',
    )
    .argument('<text>', 'an id, or a part of a name')
    .addHelpText('after', helpText)
    .action(
      act(context, async ({ open, output }, text: string) => {
        if (hideSecrets(text) !== text) {
          throw new UsageError(
            'Do not search for a client secret: other users of this machine can read it, and the shell keeps it.',
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
            'More have this text in their name: client list --name and file list --name show all.',
          );
        }
        if (hits.length === 0) {
          note(output, 'A request that issued no upload URL is in the logs alone.');
        }
      }),
    );
  return addExamples(command, '--local search orders', '--stack file-sync-prod search REQUEST_ID');
}
