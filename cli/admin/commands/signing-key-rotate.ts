import { Command } from 'commander';
import { confirm } from '../../confirm.ts';
import { showList } from '../../output.ts';
import { type AdminContext, act } from '../session.ts';
import { rotateSigningKey } from '../signing-keys.ts';
import { signingKeyColumns } from '../views.ts';

export function signingKeyRotateCommand(context: AdminContext): Command {
  return new Command('rotate')
    .summary('let the next key sign, now')
    .description(
      'Let the next key sign and make a new next one. It signs from now on; after another rotation within the last\n' +
        '11 minutes, from the moment that nobody can have a key set without it. The key that signed so far is\n' +
        'published until the last of its tokens has expired: no request fails.',
    )
    .option('--yes', 'do not ask')
    .action(
      act(context, async ({ open, output }, options: { yes?: boolean }) => {
        await confirm('This rotates the signing key now.', options.yes === true, context);
        showList(output, await rotateSigningKey(await open()), signingKeyColumns, 'signing key');
      }),
    );
}
