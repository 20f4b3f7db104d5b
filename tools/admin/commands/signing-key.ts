import { Command } from 'commander';
import type { Revocation } from '../../../storage/signing-keys.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { revokeSigningKey } from '../../operator/signing-keys/revoke.ts';
import {
  getSigningKey,
  keysThatSigned,
  listSigningKeys,
  rotateSigningKey,
} from '../../operator/signing-keys/signing-key.ts';
import { describeRevocation, revokeAllNote, rotationNote } from '../../operator/signing-keys/texts.ts';
import { counted } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { note, showList, showOne } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type MakeCommand, type Session } from './session.ts';
import { details, revocationColumns, signingKeyColumns } from './views.ts';

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
    .description(`Start signing with the next key, and create another next key. ${rotationNote}`)
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
  note(output, describeRevocation(key));
  await confirm(`This revokes the ${key.state} key.`, options.yes === true, context);
  showOne(output, await revokeSigningKey(deployment, kid), details);
}

async function revokeAll(
  deployment: Deployment,
  { context, output }: Session,
  options: RevokeOptions,
): Promise<void> {
  const keys = await keysThatSigned(deployment);
  note(output, revokeAllNote);
  await confirm(`This revokes ${counted(keys.length, 'signing key')}.`, options.yes === true, context);
  const revocations: Revocation[] = [];
  for (const { kid } of keys) {
    revocations.push(await revokeSigningKey(deployment, kid));
  }
  showList(output, revocations, revocationColumns, 'revoked key');
}
