import type { Command } from 'commander';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { entityView } from '../../operator/description/action.ts';
import type { Entity, EntityDetails } from '../../operator/description/entity.ts';
import { idName, type Noun } from '../../operator/description/noun.ts';
import { describeUpload } from '../../operator/uploads/details.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { getUpload } from '../../operator/uploads/upload.ts';
import { createCommand } from '../../terminal/help.ts';
import { type AdminContext, act, type CommandFactory, type Session } from './session.ts';

/**
 * Creates the command that shows one entity: `client show`. @param about description of the result, in
 * sentences
 */
export function showCommand(
  entity: Entity,
  about: string,
  read: (deployment: Deployment, id: string) => Promise<EntityDetails>,
): CommandFactory {
  return (context) =>
    commandOf(entity.noun, about).action(
      act(context, async (session, id: string) =>
        show(session, entity, await read(await session.open(), id)),
      ),
    );
}

function commandOf(noun: Noun, about: string): Command {
  const id = idName(noun).replace('_', '-');
  return createCommand('show', `show one ${noun}`, about).argument(`<${id}>`);
}

/** Prints one entity, notes about it, and the suggested commands. */
export async function show(
  { show: showView, note }: Session,
  entity: Entity,
  { of, notes, next = [] }: EntityDetails,
): Promise<void> {
  await showView(entityView(entity, of));
  if (notes.length + next.length > 0) {
    note(notes.join('\n'), next);
  }
}

const watchPollMilliseconds = 1000;

/** Creates the command `upload show`. */
export function showUploadCommand(context: AdminContext): Command {
  return commandOf('upload', 'Show one upload: its client, its file, its times and its state.')
    .option('--watch', 'wait until the upload is completed, cancelled or expired')
    .action(
      act(context, async (session, id: string, { watch }: { readonly watch?: true }) => {
        const deployment = await session.open();
        while (watch && (await getUpload(deployment, id)).state === 'issued') {
          await context.sleep(watchPollMilliseconds);
        }
        await show(session, uploads, await describeUpload(deployment, id));
      }),
    );
}
