import { Command } from 'commander';
import { confirm } from '../../confirm.ts';
import { note, showOne } from '../../output.ts';
import { quoted } from '../../text.ts';
import { getSigningKey, revokeSigningKey } from '../revoke-signing-key.ts';
import { type AdminContext, act } from '../session.ts';
import type { SigningKey } from '../signing-keys.ts';
import { revocationDetails } from '../views.ts';

export function signingKeyRevokeCommand(context: AdminContext): Command {
  return new Command('revoke')
    .summary('take a leaked key out of the key set, now')
    .description(
      'Take a leaked signing key out of the key set, now. Every access token that it signed dies within minutes:\n' +
        'as soon as whoever verifies it has read the key set anew.',
    )
    .argument('<kid>', 'which key: signing-key list shows them')
    .option('--yes', 'do not ask')
    .action(
      act(context, async ({ open, output }, kid: string, options: { yes?: boolean }) => {
        const deployment = await open();
        const key = await getSigningKey(deployment, kid);
        note(output, consequence(key));
        await confirm(`This revokes the ${key.state} key.`, options.yes === true, context);
        showOne(output, await revokeSigningKey(deployment, kid), revocationDetails);
      }),
    );
}

/** Which tokens die. */
function consequence({ kid, state, since, until }: SigningKey): string {
  switch (state) {
    case 'current':
      return `${quoted(kid)} is the current key: every access token that it signed since ${since} dies, and clients must get a new one. The next key signs from now on.`;
    case 'next':
      return `${quoted(kid)} is the next key and has not signed yet: no access token dies.`;
    case 'retired':
      return `${quoted(kid)} is retired: the access tokens that it signed and that are still valid die. Left alone, it would leave the key set ${until === undefined ? 'after the rotation' : `at ${until}`}.`;
  }
}
