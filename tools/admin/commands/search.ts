import { Command } from 'commander';
import { spoken } from '../../operator/description/noun.ts';
import { findById, findByName, limit } from '../../operator/search.ts';
import { searchTextOf } from '../../operator/search-text.ts';
import { hideSecrets } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { nextLines } from '../../terminal/next-steps.ts';
import { note } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { showList } from '../../terminal/table.ts';
import { type AdminContext, act, type Session } from './session.ts';

const columns = [{ heading: 'KIND' }, { heading: 'ID' }, { heading: 'NAME' }];

/** Creates the command `admin search`. */
export function searchCommand(context: AdminContext): Command {
  const command = new Command('search')
    .summary('find anything by its id or name')
    .description(
      'Find clients, files, uploads, organisations, signing keys and requests by an id, an object key or the first ' +
        'eight characters of an upload id. If the text is not an id, all clients and files are searched for it: their ' +
        'names, and the ids of secrets.',
    )
    // The id of a request may begin with `-`.
    .allowUnknownOption()
    .argument('<text>', 'an id, or a part of a name')
    .action(
      act(context, async (session, entered: string) => {
        if (hideSecrets(entered) !== entered) {
          throw new UsageError(
            'Do not search for a client secret or a signed URL: other users of this machine can read it, and the shell keeps it. Search for the part of the URL before the question mark.',
          );
        }
        await search(session, searchTextOf(entered));
      }),
    );
  return addExamples(command, '--local search orders', '--stack file-sync-prod search REQUEST_ID');
}

async function search({ output, open, typed }: Session, text: string): Promise<void> {
  const deployment = await open();
  const progress = createProgress(output.stderr, (items) => `Reading: ${items} items so far`);
  const hits = await findById(deployment, text);
  const names =
    hits.length > 0 ? [] : await findByName(deployment, text, progress.update).finally(progress.finish);
  const data = [...hits, ...names];
  const cells = data.map(({ kind, id, name = '-' }) => [spoken(kind), id, name]);
  showList(output, { data }, columns, cells, 'hit');
  const isExact = hits.some(({ id }) => id === text);
  if ((hits.length > 0 && !isExact) || names.length >= limit) {
    const answers = { name: text };
    const lines = nextLines(
      [
        { noun: 'client', verb: 'list', answers },
        { noun: 'file', verb: 'list', answers },
      ],
      typed,
    );
    note(output, `To list all with this text in their name:${lines}`);
  }
}
