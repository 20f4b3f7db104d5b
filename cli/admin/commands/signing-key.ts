import { Command } from 'commander';
import type { Deployment } from '../../deployment/deployment.ts';
import { UsageError } from '../../errors.ts';
import { revokeSigningKey } from '../../operations/revoke-signing-key.ts';
import {
  getSigningKey,
  keysThatSigned,
  listSigningKeys,
  rotateSigningKey,
  type SigningKey,
} from '../../operations/signing-keys.ts';
import { confirm } from '../../terminal/confirm.ts';
import { note, showList, showOne } from '../../terminal/output.ts';
import { counted, quoted } from '../../text.ts';
import { type AdminContext, act, type MakeCommand, type Session } from './session.ts';
import { revocationColumns, revocationDetails, signingKeyColumns } from './views.ts';

/** The commands of `admin signing-key`. */
export const signingKeyCommands: readonly MakeCommand[] = [listCommand, rotateCommand, revokeCommand];

function listCommand(context: AdminContext): Command {
  return new Command('list')
    .summary('list the published signing keys')
    .description('List the published signing keys: current, next and retired. Private keys are never shown.')
    .action(
      act(context, async ({ open, output }) => {
        showList(output, await listSigningKeys(await open()), signingKeyColumns, 'signing key');
      }),
    );
}

function rotateCommand(context: AdminContext): Command {
  return new Command('rotate')
    .summary('start signing with the next key')
    .description(
      'Start signing with the next key, and create another next key. The new key signs within five minutes. If the ' +
        'last rotation was less than 11 minutes ago, it signs as soon as every cached key set contains it. ' +
        'The old key stays published until its last token has expired, so that no request fails.',
    )
    .option('--yes', 'skip the confirmation')
    .action(
      act(context, async ({ open, output }, options: { yes?: boolean }) => {
        await confirm('This rotates the signing key now.', options.yes === true, context);
        showList(output, await rotateSigningKey(await open()), signingKeyColumns, 'signing key');
      }),
    );
}

interface RevokeOptions {
  readonly all?: true;
  readonly yes?: true;
}

function revokeCommand(context: AdminContext): Command {
  return new Command('revoke')
    .summary('remove a leaked key from the key set')
    .description(
      'Remove a leaked signing key from the key set immediately. Access tokens that it signed become invalid within ' +
        'minutes, as soon as those who verify tokens have read the key set again.',
    )
    .argument('[kid]', 'revoke the key with this id (signing-key list shows the ids)')
    .option('--all', 'revoke every key that has signed: all access tokens become invalid')
    .option('--yes', 'skip the confirmation')
    .action(
      act(context, async (session, kid: string | undefined, options: RevokeOptions) => {
        if ((kid === undefined) === (options.all === undefined)) {
          throw new UsageError('Choose what to revoke: give either a kid or --all.');
        }
        const deployment = await session.open();
        await (kid === undefined
          ? revokeAll(deployment, session, options)
          : revokeOne(kid, deployment, session, options));
      }),
    );
}

async function revokeOne(
  kid: string,
  deployment: Deployment,
  { context, output }: Session,
  options: RevokeOptions,
): Promise<void> {
  const key = await getSigningKey(deployment, kid);
  note(output, consequence(key));
  await confirm(`This revokes the ${key.state} key.`, options.yes === true, context);
  showOne(output, await revokeSigningKey(deployment, kid), revocationDetails);
}

async function revokeAll(
  deployment: Deployment,
  { context, output }: Session,
  options: RevokeOptions,
): Promise<void> {
  const keys = await keysThatSigned(deployment);
  note(output, 'Every access token issued so far becomes invalid, and clients must get a new one.');
  await confirm(`This revokes ${counted(keys.length, 'signing key')}.`, options.yes === true, context);
  const revocations = [];
  for (const { kid } of keys) {
    revocations.push(await revokeSigningKey(deployment, kid));
  }
  showList(output, revocations, revocationColumns, 'revoked key');
}

/** Says which tokens a revocation of the key makes invalid, and which key signs afterwards. */
function consequence({ kid, state, signs, since, until }: SigningKey): string {
  const key = quoted(kid);
  if (state === 'next') {
    return `${key} is the next key and has not signed yet: all access tokens stay valid.`;
  }
  if (state === 'current') {
    return signs
      ? `${key} signs now. Every access token that it signed since ${since} becomes invalid, and clients must get a new one. The next key signs from now on.`
      : `${key} starts signing at ${since} and has not signed yet: all access tokens stay valid.`;
  }
  if (signs) {
    return `${key} still signs. Every access token that it signed becomes invalid, and clients must get a new one. The current key signs from now on.`;
  }
  const end = until === undefined ? 'after the rotation' : `at ${until}`;
  return `${key} is retired. Its access tokens that have not expired become invalid. Without a revocation, it leaves the key set ${end}.`;
}
