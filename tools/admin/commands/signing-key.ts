import { Command } from 'commander';
import { several } from '../../operator/description/action.ts';
import { signingKeys } from '../../operator/signing-keys/fields.ts';
import { listSigningKeys } from '../../operator/signing-keys/signing-key.ts';
import { showResult } from '../../terminal/entity.ts';
import { type AdminContext, act } from './session.ts';

/** `signing-key list` */
export function signingKeyListCommand(context: AdminContext): Command {
  return new Command('list')
    .summary('list the published signing keys')
    .description('List the published signing keys: current, next and retired. Private keys are never shown.')
    .action(
      act(context, async ({ open, output }) => {
        showResult(output, several(signingKeys, await listSigningKeys(await open())));
      }),
    );
}
