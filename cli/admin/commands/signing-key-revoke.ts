import { Command } from 'commander';
import { confirm } from '../../confirm.ts';
import { UsageError } from '../../errors.ts';
import { note, showList, showOne } from '../../output.ts';
import { counted, quoted } from '../../text.ts';
import type { Deployment } from '../deployment.ts';
import { getSigningKey, keysThatSigned, revokeSigningKey } from '../revoke-signing-key.ts';
import { type AdminContext, act, type Session } from '../session.ts';
import type { SigningKey } from '../signing-keys.ts';
import { revocationColumns, revocationDetails } from '../views.ts';

interface Options {
  readonly all?: true;
  readonly yes?: true;
}

export function signingKeyRevokeCommand(context: AdminContext): Command {
  return new Command('revoke')
    .summary('take a leaked key out of the key set, now')
    .description(
      'Take a leaked signing key out of the key set, now. Every access token that it signed dies within minutes:\n' +
        'as soon as whoever verifies it has read the key set anew.',
    )
    .argument('[kid]', 'which key: signing-key list shows them')
    .option('--all', 'every key that has signed, so that every access token dies')
    .option('--yes', 'do not ask')
    .action(
      act(context, async (session, kid: string | undefined, options: Options) => {
        if ((kid === undefined) === (options.all === undefined)) {
          throw new UsageError('Say which key to revoke: a kid, or --all.');
        }
        const deployment = await session.open();
        await (kid === undefined
          ? revokeAll(deployment, session, options, context)
          : revokeOne(kid, deployment, session, options, context));
      }),
    );
}

async function revokeOne(
  kid: string,
  deployment: Deployment,
  { output }: Session,
  options: Options,
  context: AdminContext,
): Promise<void> {
  const key = await getSigningKey(deployment, kid);
  note(output, consequence(key));
  await confirm(`This revokes the ${key.state} key.`, options.yes === true, context);
  showOne(output, await revokeSigningKey(deployment, kid), revocationDetails);
}

async function revokeAll(
  deployment: Deployment,
  { output }: Session,
  options: Options,
  context: AdminContext,
): Promise<void> {
  const keys = await keysThatSigned(deployment);
  note(output, 'Every access token that was issued dies, and clients must get a new one.');
  await confirm(`This revokes ${counted(keys.length, 'signing key')}.`, options.yes === true, context);
  const revocations = [];
  for (const { kid } of keys) revocations.push(await revokeSigningKey(deployment, kid));
  showList(output, revocations, revocationColumns, 'revoked key');
}

/** Which tokens die. */
function consequence({ kid, state, signs, since, until }: SigningKey): string {
  const key = quoted(kid);
  if (state === 'next') return `${key} is the next key and has not signed yet: no access token dies.`;
  if (state === 'current') {
    return signs
      ? `${key} signs: every access token that it signed since ${since} dies, and clients must get a new one. The next key signs from now on.`
      : `${key} is to sign from ${since} and has not signed yet: no access token dies.`;
  }
  if (signs) {
    return `${key} still signs: every access token that it signed dies, and clients must get a new one. The current key signs from now on.`;
  }
  return `${key} is retired: the access tokens that it signed and that are still valid die. Left alone, it would leave the key set ${until === undefined ? 'after the rotation' : `at ${until}`}.`;
}
