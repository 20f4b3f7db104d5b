import * as v from 'valibot';
import type { Revocation } from '../../../storage/signing-keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import type { Work } from '../description/action.ts';
import { OperationError } from '../errors.ts';

const text = v.string();

const revocationSchema: v.GenericSchema<unknown, Revocation> = v.object({
  kid: text,
  signing_kid: text,
  revoked_at: text,
  rejected_from: text,
  rejected_by_clients_from: text,
  tokens_until: text,
});

/**
 * Removes a leaked key from the key set immediately. If it was the current key, the next key signs from now on.
 *
 * @returns which key signs now, and when the tokens of the revoked key become invalid
 * @throws {OperationError} when it is not certain that the key was revoked
 */
export async function revokeSigningKey(
  deployment: Deployment,
  kid: string,
  progress?: Work['progress'],
): Promise<Revocation> {
  const { result, problem } = await invokeFunction(
    deployment,
    'RotateSigningKeyFunctionName',
    { action: 'revoke', kid },
    revocationSchema,
    progress,
  );
  if (result !== undefined) {
    return result;
  }
  throw new OperationError(
    `It is not certain that the key was revoked. ${problem} Check the keys, and revoke the key again if it is still published: that is safe.`,
    { noun: 'signing-key', verb: 'list' },
  );
}
