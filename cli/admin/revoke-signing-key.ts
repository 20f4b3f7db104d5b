import * as v from 'valibot';
import type { Revocation } from '../../storage/signing-keys.ts';
import { CommandError } from '../errors.ts';
import { printable, quoted } from '../text.ts';
import { lambdaClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { listSigningKeys, type SigningKey } from './signing-keys.ts';

const revocationSchema: v.GenericSchema<string, Revocation> = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    kid: v.string(),
    signing_kid: v.string(),
    revoked_at: v.string(),
    rejected_from: v.string(),
    rejected_by_clients_from: v.string(),
    tokens_until: v.string(),
  }),
);

/** @throws {CommandError} when no such key is published */
export async function getSigningKey(deployment: Deployment, kid: string): Promise<SigningKey> {
  const key = (await listSigningKeys(deployment)).find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new CommandError(`No published signing key has the kid ${quoted(kid)}.`);
  return key;
}

/** The published keys that have signed, in the order in which to revoke them: the one that signs now goes last. */
export async function keysThatSigned(deployment: Deployment): Promise<readonly SigningKey[]> {
  const keys = await listSigningKeys(deployment);
  const retired = keys.filter(({ state, signs }) => state === 'retired' && !signs);
  return [...retired, ...keys.filter(({ signs }) => signs)];
}

/**
 * Takes a leaked key out of the key set and out of use at once. If it was the current one, the next key signs from
 * now on.
 *
 * @returns which key signs now, and when the tokens of the revoked one die
 */
export async function revokeSigningKey(deployment: Deployment, kid: string): Promise<Revocation> {
  const { InvokeCommand } = await import('@aws-sdk/client-lambda');
  const lambda = await lambdaClient(deployment);
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: deployment.outputs.RotateSigningKeyFunctionName,
      Payload: Buffer.from(JSON.stringify({ action: 'revoke', kid })),
    }),
  );
  const text = Buffer.from(Payload ?? []).toString('utf8');
  const answer = v.safeParse(revocationSchema, text);
  if (FunctionError === undefined && answer.success) return answer.output;
  throw new CommandError(
    `It is not certain that the key was revoked: ${printable(text)}. Look at signing-key list, and try again: that is safe.`,
  );
}
