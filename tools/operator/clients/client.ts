import { randomBytes } from 'node:crypto';
import { newIdentifier } from '../../../contract/identifiers.ts';
import type { Scope } from '../../../contract/routes.ts';
import { type Item, later, type Timestamp } from '../../../storage/attributes.ts';
import {
  clientFromItem,
  clientsTable,
  liveSecrets,
  maxLiveSecrets,
  putNewClient,
  type StoredClient,
  type StoredSecret,
  updateAddresses,
  updateSecrets,
  updateToRevoked,
} from '../../../storage/client.ts';
import { digestClientSecret, isEnding, newClientSecret } from '../../../storage/client-secret.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { changeItem, getItem, requireNotDeleted, updateItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import type { IndexSource } from '../lists/list.ts';
import { type NamedSelection, namedSource } from '../lists/named-source.ts';
import { createInOrganisation } from '../organisations/create.ts';
import { counted, quoted } from '../text.ts';

/** A client secret without its value and digest. */
export interface ClientSecret extends Omit<StoredSecret, 'sha256'> {
  /** Last use that was found in the log. */
  readonly last_used_at?: Timestamp;
  /** Last use, as a sentence. Absent if the log was not read. */
  readonly last_use?: string;
}

/** A client without the digests of its secrets. */
export interface Client extends Omit<StoredClient, 'secrets'> {
  readonly secrets: readonly ClientSecret[];
  /** First end of a secret within 30 days. Present only in lists. */
  readonly secret_ends_at?: Timestamp | undefined;
}

/**
 * A client with the value of a new secret. The table stores only the digest, so the value cannot be read
 * again.
 */
export interface ClientWithSecret extends Client {
  readonly client_secret: string;
  readonly secret_id: string;
}

export interface NewClient {
  readonly organisationId: string;
  readonly name: string;
  /** At least one scope. */
  readonly scopes: readonly Scope[];
  /** Ranges of IP addresses. Absent: every address is allowed. */
  readonly allowFrom?: readonly string[] | undefined;
  /** Seconds until the secret ends. Default: the secret does not end. */
  readonly ends?: number | undefined;
  /** Id of the client. Default: a random id. */
  readonly clientId?: string;
  readonly keepSecret?: KeepSecret | undefined;
}

/**
 * Stores or shows the secret of a new client, before the client exists, so a crash in between loses no secret.
 *
 * @returns the secret for the client
 */
export type KeepSecret = (clientId: string, secret: string) => Promise<string>;

/**
 * Creates a client with one secret.
 *
 * @throws {OperationError} when the organisation was deleted, and its tokens may still work, or no request can come
 * from a range
 */
export function createClient(
  deployment: Deployment,
  {
    organisationId,
    name,
    scopes,
    allowFrom,
    ends,
    clientId = newIdentifier('client', randomBytes),
    keepSecret,
  }: NewClient,
): Promise<ClientWithSecret> {
  requireReachable(deployment, allowFrom);
  return withNewSecret(deployment, ends, async (secret, value) => {
    const kept = (await keepSecret?.(clientId, value)) ?? value;
    const put = putNewClient({
      client_id: clientId,
      organisation_id: organisationId,
      name,
      scopes: [...scopes],
      status: 'active',
      secrets: [{ ...secret, sha256: digestClientSecret(kept).toString('hex') }],
      created_at: secret.created_at,
      ...(allowFrom && { allow_from: [...allowFrom] }),
    });
    const client = { organisationId, kind: 'client', id: clientId, put } as const;
    return clientOf(await createInOrganisation(deployment, client));
  });
}

/**
 * Replaces the ranges of addresses of a client.
 *
 * @param allowFrom undefined to allow every address
 * @throws {OperationError} when no request can come from a range, or there is no such client
 */
export function setAddresses(
  deployment: Deployment,
  clientId: string,
  allowFrom: readonly string[] | undefined,
) {
  requireReachable(deployment, allowFrom);
  return changeItem(deployment, 'client', clientId, updateAddresses(clientId, allowFrom));
}

/** @throws {OperationError} for a range of IPv6 in a deployment without IPv6 */
export function requireReachable({ outputs }: Deployment, allowFrom: readonly string[] = []): void {
  const range = allowFrom.find((text) => text.includes(':'));
  // A custom domain of API Gateway always has IPv6.
  const hasIpv6 = Boolean(outputs.DomainTarget) || outputs.UploadHost.includes('.dualstack.');
  if (range !== undefined && !hasIpv6) {
    throw new OperationError(
      `This deployment has no IPv6, so no request can come from ${range}. Leave it out, or deploy with ipAddressType=dualstack first.`,
    );
  }
}

/**
 * Creates a client secret. Returns the stored client with the value of the secret.
 *
 * @param ends seconds until the secret ends. Undefined: the secret does not end
 */
export async function withNewSecret(
  deployment: Deployment,
  ends: number | undefined,
  store: (secret: StoredSecret, value: string) => Promise<Client>,
): Promise<ClientWithSecret> {
  const { value, stored } = newClientSecret(timeOf(deployment), randomBytes, ends);
  return { ...(await store(stored, value)), client_secret: value, secret_id: stored.secret_id };
}

/**
 * Reads a client.
 *
 * @throws {OperationError} when there is no client with this id
 */
export async function getClient(deployment: Deployment, clientId: string): Promise<Client> {
  return clientOf(await getItem(deployment, 'client', clientId));
}

/**
 * Returns the client of an item.
 *
 * @throws {StoredDataError} when the item does not match docs/stored-items.md
 */
export function clientOf(item: Item): Client {
  const client = clientFromItem(item);
  return { ...client, secrets: client.secrets.map(({ sha256: _, ...secret }) => secret) };
}

/** Statuses of a client in lists, from the weakest to the strongest. The strongest that applies is shown. */
export const clientStatuses = ['active', 'suspended', 'revoked', 'deleted'] as const;

/** Returns the status of a client, in one word. */
export function statusOf({ deleted_at, suspended_at, status }: Client): (typeof clientStatuses)[number] {
  if (deleted_at !== undefined) {
    return 'deleted';
  }
  return suspended_at !== undefined && status === 'active' ? 'suspended' : status;
}

/** Returns the source of the selected clients. */
export function clientSource(deployment: Deployment, selection: NamedSelection): IndexSource<Client> {
  const now = deployment.now();
  const source = namedSource({
    kind: 'client',
    indexes: clientsTable.indexes,
    idsOf: ({ client_id, secrets }: Client) => [client_id, ...secrets.map(({ secret_id }) => secret_id)],
    parse: (item) => {
      const client = clientOf(item);
      const ends = client.secrets.map(({ ends_at }) => ends_at).filter((end) => isEnding(end, now));
      return { ...client, secret_ends_at: ends.sort()[0] };
    },
    statusOf,
  });
  return source(selection);
}

/** Stops issuing tokens to a client. A request that starts after this function returns gets no token. */
export function revokeClient(deployment: Deployment, clientId: string) {
  return changeItem(deployment, 'client', clientId, updateToRevoked(clientId, timeOf(deployment)));
}

/**
 * Adds a second live secret.
 *
 * @param ends seconds until the new secret ends. Undefined: it does not end
 * @throws {OperationError} when the client already has two live secrets, or was changed at the same time
 */
export function addSecret(deployment: Deployment, clientId: string, ends?: number) {
  return issueSecret(deployment, clientId, ends, (live) => live);
}

/**
 * Adds a new secret and sets an end for the old secrets.
 *
 * @param graceSeconds seconds until the old secrets end; 0 ends them immediately
 * @param ends seconds until the new secret ends. Undefined: it does not end
 * @throws {OperationError} when two old secrets would stay live, or the client was changed at the same time
 */
export function rotateSecret(deployment: Deployment, clientId: string, graceSeconds: number, ends?: number) {
  const end = later(timeOf(deployment), graceSeconds * 1000);
  return issueSecret(deployment, clientId, ends, (live) =>
    // A rotation never extends the life of a secret.
    (graceSeconds === 0 ? [] : live).map(({ ends_at = end, ...secret }) => ({
      ...secret,
      ends_at: ends_at < end ? ends_at : end,
    })),
  );
}

function issueSecret(
  deployment: Deployment,
  clientId: string,
  ends: number | undefined,
  change: (live: readonly StoredSecret[]) => readonly StoredSecret[],
): Promise<ClientWithSecret> {
  return withNewSecret(deployment, ends, (secret) =>
    changeSecrets(deployment, clientId, (live) => {
      const kept = change(live);
      if (kept.length >= maxLiveSecrets) {
        const ids = live.map((one) => one.secret_id).join(' and ');
        throw new OperationError(
          `The client ${quoted(clientId)} has ${counted(live.length, 'live secret')} already: ${ids}. Remove one of them first. If one has leaked, rotate with --grace 0s, which ends both.`,
          ...live.map(
            ({ secret_id: secretId }) =>
              ({ noun: 'client', verb: 'remove-secret', id: clientId, answers: { secretId } }) as const,
          ),
          { noun: 'client', verb: 'rotate-secret', id: clientId, answers: { grace: '0s' } },
        );
      }
      return [...kept, secret];
    }),
  );
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
  const client = clientFromItem(await getItem(deployment, 'client', clientId));
  requireNotDeleted('client', clientId, client);
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
