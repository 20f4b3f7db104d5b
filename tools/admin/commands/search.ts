import type { Command } from 'commander';
import { listView } from '../../operator/description/action.ts';
import { defineEntity } from '../../operator/description/entity.ts';
import { opaque, shown, text } from '../../operator/description/field.ts';
import { spoken } from '../../operator/description/noun.ts';
import { findById, findByName, type Hit, limit } from '../../operator/search.ts';
import { searchTextOf } from '../../operator/search-text.ts';
import { hideSecrets } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { type AdminContext, act, reportRead, type Session } from './session.ts';

const foundEntities = defineEntity<Hit>()({
  noun: 'client',
  rowNoun: 'hit',
  fields: {
    kind: shown('Kind', 'text', ({ kind }) => spoken(kind)),
    id: opaque('ID'),
    name: text('Name'),
  },
  listed: ['kind', 'id', 'name'],
});

/** Creates the command `admin search`. */
export function searchCommand(context: AdminContext): Command {
  return (
    createCommand(
      'search',
      'find anything by its id or name',
      'Find clients, files, uploads, organisations and requests by an id, an object key or the first ' +
        'eight characters of an upload id. If the text is not an id, all clients and files are searched for it: their ' +
        'names, and the ids of secrets.',
      '--local search orders',
      '--stack file-sync-prod search REQUEST_ID',
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
      )
  );
}

async function search({ show, open, progress, note }: Session, wanted: string): Promise<void> {
  const deployment = await open();
  const hits = await findById(deployment, wanted);
  const names = hits.length > 0 ? [] : await findByName(deployment, wanted, reportRead(progress));
  await show(listView(foundEntities, [...hits, ...names]));
  if (names.length >= limit) {
    const answers = { name: wanted };
    note('To list all with this text in their name:', [
      { noun: 'client', verb: 'list', answers },
      { noun: 'file', verb: 'list', answers },
    ]);
  }
}
