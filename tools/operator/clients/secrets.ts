import { randomBytes } from 'node:crypto';
import { timestamp } from '../../../storage/attributes.ts';
import {
  liveSecrets,
  maxLiveSecrets,
  type StoredClient,
  type StoredSecret,
  updateSecrets,
} from '../../../storage/client.ts';
import { newClientSecret } from '../../../storage/client-secret.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { requireNotDeleted, updateItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { counted, quoted } from '../text.ts';
import { type Client, type ClientWithSecret, clientOf, getStoredClient } from './client.ts';

/**
 * Adds a second live secret, which does not expire.
 *
 * @throws {OperationError} when the client already has two live secrets, or was changed at the same time
 */
export async function addSecret(deployment: Deployment, clientId: string): Promise<ClientWithSecret> {
  return issueSecret(deployment, clientId, (live) => live);
}

/**
 * Adds a new secret and sets an end for the old secrets.
 *
 * @param graceSeconds seconds until the old secrets end; 0 ends them immediately
 * @throws {OperationError} when two old secrets would stay live, or the client was changed at the same time
 */
export async function rotateSecret(
  deployment: Deployment,
  clientId: string,
  graceSeconds: number,
): Promise<ClientWithSecret> {
  return issueSecret(deployment, clientId, (live) => {
    const end = timestamp(new Date(deployment.now() + graceSeconds * 1000));
    // A rotation never extends the life of a secret.
    return (graceSeconds === 0 ? [] : live).map(({ ends_at = end, ...secret }) => ({
      ...secret,
      ends_at: ends_at < end ? ends_at : end,
    }));
  });
}

async function issueSecret(
  deployment: Deployment,
  clientId: string,
  change: (live: readonly StoredSecret[]) => readonly StoredSecret[],
): Promise<ClientWithSecret> {
  const { value, stored } = newClientSecret(timeOf(deployment), randomBytes);
  const client = await changeSecrets(deployment, clientId, (live) => {
    const kept = change(live);
    if (kept.length >= maxLiveSecrets) {
      throw twoSecretsAlready(clientId, live);
    }
    return [...kept, stored];
  });
  return { ...client, client_secret: value, secret_id: stored.secret_id };
}

/**
 * Ends one secret immediately.
 *
 * @throws {OperationError} when there is no such secret, or no other live secret
 */
export function removeSecret(deployment: Deployment, clientId: string, secretId: string): Promise<Client> {
  return changeSecrets(deployment, clientId, (live, { secrets }) => {
    if (!secrets.some(({ secret_id }) => secret_id === secretId)) {
      throw new OperationError(`The client ${quoted(clientId)} has no secret ${quoted(secretId)}.`, {
        noun: 'client',
        verb: 'show',
        id: clientId,
      });
    }
    const rest = live.filter(({ secret_id }) => secret_id !== secretId);
    if (rest.length === 0) {
      throw new OperationError(
        `${quoted(secretId)} is the only secret that still works for ${quoted(clientId)}. Add another secret first, or revoke the client.`,
        { noun: 'client', verb: 'add-secret', id: clientId },
        { noun: 'client', verb: 'revoke', id: clientId },
      );
    }
    return rest;
  });
}

function twoSecretsAlready(clientId: string, live: readonly StoredSecret[]): OperationError {
  const ids = live.map((secret) => secret.secret_id).join(' and ');
  return new OperationError(
    `The client ${quoted(clientId)} has ${counted(live.length, 'live secret')} already: ${ids}. Remove one of them first. If one has leaked, rotate with --grace 0s, which ends both.`,
    ...live.map(
      ({ secret_id: secretId }) =>
        ({ noun: 'client', verb: 'remove-secret', id: clientId, answers: { secretId } }) as const,
    ),
    { noun: 'client', verb: 'rotate-secret', id: clientId, answers: { grace: '0s' } },
  );
}

/**
 * Changes the secrets of a client. Fails if another operator changes them at the same time.
 *
 * @param change function from the live secrets to all secrets that the client keeps
 */
async function changeSecrets(
  deployment: Deployment,
  clientId: string,
  change: (live: readonly StoredSecret[], client: StoredClient) => readonly StoredSecret[],
): Promise<Client> {
  const client = await getStoredClient(deployment, clientId);
  requireNotDeleted('client', clientId, client.deleted_at);
  const secrets = change(liveSecrets(client, timeOf(deployment)), client);
  const item = await updateItem(deployment, 'client', updateSecrets(client, secrets));
  if (item === 'rejected') {
    throw new OperationError(
      `Someone else changed the secrets of ${quoted(clientId)} at the same time. Nothing was changed. Check the secrets and try again.`,
      { noun: 'client', verb: 'show', id: clientId },
    );
  }
  return clientOf(item);
}
