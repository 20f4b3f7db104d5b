import { timingSafeEqual } from 'node:crypto';
import { isAllowedFrom } from '../../contract/address-ranges.ts';
import { isIdentifier, isMadeClientId } from '../../contract/identifiers.ts';
import { maxLiveSecrets } from '../../storage/client.ts';
import { digestClientSecret, isClientSecret } from '../../storage/client-secret.ts';
import type { ClientCredentials, PresentedCredentials } from './client-credentials.ts';
import type { ReadClient, RegisteredClient } from './read-client.ts';
import { TokenError } from './token-error.ts';

/** An authenticated client, and the secret of the request. */
export type AuthenticatedClient = Awaited<ReturnType<typeof authenticateClient>>;

export interface AuthenticateDependencies {
  readonly readClient: ReadClient;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Authenticates a client by its secret, and by the address of the request.
 *
 * @param sourceIp address of the request, as API Gateway reports it
 * @throws {TokenError} `invalid_client`: the same response for missing credentials, an unknown, revoked or suspended
 *   client, a wrong or ended secret, and another address
 */
export async function authenticateClient(
  credentials: PresentedCredentials,
  sourceIp: string | undefined,
  { readClient, now }: AuthenticateDependencies,
) {
  const { clientId, clientSecret } = requirePlausible(credentials);
  const client = await readClient(clientId);
  const secret = findSecret(digestClientSecret(clientSecret), client);
  // Always computed, so that the time does not reveal if the secret was right.
  const isAllowed = isAllowedFrom(sourceIp, client?.allow_from);
  if (client === undefined) {
    throw TokenError.invalidClient('There is no such client', loggableId(clientId));
  }
  const known = { clientId, organisationId: client.organisation_id };
  if (client.status === 'revoked') {
    throw TokenError.invalidClient('The client is revoked', known);
  }
  if (client.suspended_at !== undefined) {
    throw TokenError.invalidClient('The client is suspended', known);
  }
  if (secret === undefined) {
    throw TokenError.invalidClient('The client secret is wrong', known);
  }
  if (secret.ends_at !== undefined && Date.parse(secret.ends_at) <= now()) {
    throw TokenError.invalidClient('The client secret has ended', known);
  }
  if (!isAllowed) {
    throw TokenError.invalidClient('The address may not use this client', known);
  }
  return { ...known, scopes: client.scopes, allowFrom: client.allow_from, secret };
}

/** Rejects a malformed client id and a mistyped secret, without reading the table. */
function requirePlausible(credentials: PresentedCredentials): ClientCredentials {
  if (credentials === undefined) {
    throw TokenError.invalidClient('The request has no well-formed credentials');
  }
  if (!isIdentifier(credentials.clientId)) {
    throw TokenError.invalidClient('The client id has a form that no client id has');
  }
  if (!isClientSecret(credentials.clientSecret)) {
    throw TokenError.invalidClient(
      'The client secret is mistyped: its form or checksum is wrong',
      loggableId(credentials.clientId),
    );
  }
  return credentials;
}

/**
 * Returns the id of an unknown client for the log, if it is in the format of our ids. A caller who swaps the
 * two fields sends its secret as the id, and no secret may reach the log.
 */
function loggableId(clientId: string): { readonly clientId: string } | undefined {
  return isMadeClientId(clientId) ? { clientId } : undefined;
}

/** Digest in place of a missing secret of a client. */
const dummy = Buffer.alloc(32);

/**
 * Returns the secret of the client that matches. Compares in constant time, and always with the same number of
 * secrets. So the time reveals neither the existence of the client nor the secret that matched.
 */
function findSecret(presented: Buffer, client: RegisteredClient | undefined) {
  const stored = client?.secrets ?? [];
  const padding = Array.from({ length: Math.max(0, maxLiveSecrets - stored.length) }, () => dummy);
  const places = [...stored.map(({ sha256 }) => Buffer.from(sha256, 'hex')), ...padding].map(
    (digest, index) => Number(timingSafeEqual(digest, presented)) * (index + 1),
  );
  // Each place is 0 without a match. The place of a dummy is not in the list.
  return stored[Math.max(...places) - 1];
}
