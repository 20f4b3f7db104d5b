import type { Command } from 'commander';
import { listView } from '../../operator/description/action.ts';
import { defineEntity } from '../../operator/description/entity.ts';
import { opaque, shown, text } from '../../operator/description/field.ts';
import { spoken } from '../../operator/description/noun.ts';
import { findById, type Hit } from '../../operator/search.ts';
import { searchTextOf } from '../../operator/search-text.ts';
import { hideSecrets } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { type AdminContext, act, type Session } from './session.ts';

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
      'find anything by its id',
      'Find clients, files, uploads, organisations and requests by an id, an object key or an S3 address. If nothing ' +
        'has the id, the command prints the commands that search names, and the ids of secrets.',
      '--local search orders',
      '--stack file-sync-prod search REQUEST_ID',
    )
      // The id of a request may begin with `-`.
      .allowUnknownOption()
      .argument('<text>', 'an id, an object key or an S3 address')
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

async function search({ show, open, note }: Session, wanted: string): Promise<void> {
  const hits = await findById(await open(), wanted);
  await show(listView(foundEntities, hits));
  if (hits.length === 0) {
    const answers = { name: wanted };
    note('To search names:', [
      { noun: 'client', verb: 'list', answers },
      { noun: 'file', verb: 'list', answers },
    ]);
  }
}
