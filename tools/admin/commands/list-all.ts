import { Command } from 'commander';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { listView } from '../../operator/description/action.ts';
import type { Entity } from '../../operator/description/entity.ts';
import { showResult } from '../../terminal/entity.ts';
import { act, type CommandFactory } from './session.ts';

/**
 * Creates the command of a short list, which is read completely: `signing-key list`.
 *
 * @param what name of the listed entities in the summary
 */
export function listAllCommand<Of extends object>(
  entity: Entity<Of>,
  what: string,
  about: string,
  read: (deployment: Deployment) => Promise<readonly Of[]>,
): CommandFactory {
  return (context) =>
    new Command('list')
      .summary(`list ${what}`)
      .description(about)
      .action(
        act(context, async ({ open, output }) =>
          showResult(output, listView(entity, await read(await open()))),
        ),
      );
}
