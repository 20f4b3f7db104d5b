import { Command } from 'commander';
import { showList } from '../../output.ts';
import { type AdminContext, act } from '../session.ts';
import { listSigningKeys } from '../signing-keys.ts';
import { signingKeyColumns } from '../views.ts';

export function signingKeyListCommand(context: AdminContext): Command {
  return new Command('list')
    .summary('list the published signing keys')
    .description(
      'List the published signing keys: the current, the next, and retired ones. Never private parts.',
    )
    .action(
      act(context, async ({ open, output }) => {
        showList(output, await listSigningKeys(await open()), signingKeyColumns, 'signing key');
      }),
    );
}
