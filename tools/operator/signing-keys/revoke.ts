import * as v from 'valibot';
import type { Revocation } from '../../../storage/signing-keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import type { ActionContext } from '../description/action.ts';
import { OperationError } from '../errors.ts';

const text = v.string();

const revocationsSchema: v.GenericSchema<unknown, readonly Revocation[]> = v.array(
  v.object({
    kid: text,
    signing_kid: text,
    revoked_at: text,
    rejected_from: text,
    rejected_by_clients_from: text,
    tokens_until: text,
  }),
);

/**
 * Removes a leaked key from the key set immediately. If it was the current key, the next key signs from now
 * on.
 *
 * @returns the key that signs now, and the times at which the tokens of the revoked key become invalid
 * @throws {OperationError} when it is not certain that the key was revoked
 */
export async function revokeSigningKey(
  deployment: Deployment,
  kid: string,
  progress?: ActionContext['progress'],
): Promise<Revocation> {
  const [revocation] = await revoke(deployment, { action: 'revoke', kid }, progress);
  if (revocation === undefined) {
    throw uncertain('The response contains no key.');
  }
  return revocation;
}

/**
 * Removes all keys from the key set immediately, and replaces the current and the next key by new ones.
 *
 * @returns one revocation for each key
 * @throws {OperationError} when it is not certain that the keys were revoked
 */
export function revokeAllSigningKeys(
  deployment: Deployment,
  progress?: ActionContext['progress'],
): Promise<readonly Revocation[]> {
  return revoke(deployment, { action: 'revoke-all' }, progress);
}

async function revoke(
  deployment: Deployment,
  request: { readonly action: string; readonly kid?: string },
  progress?: ActionContext['progress'],
): Promise<readonly Revocation[]> {
  const { result, problem } = await invokeFunction(
    deployment,
    'RotateSigningKeyFunctionName',
    request,
    revocationsSchema,
    progress,
  );
  if (result !== undefined) {
    return result;
  }
  throw uncertain(problem);
}

function uncertain(problem: string): OperationError {
  return new OperationError(
    `It is not certain that keys were revoked. ${problem} Check the keys, and revoke those that are still published: that is safe.`,
    { noun: 'signing-key', verb: 'list' },
  );
}
