import { timingSafeEqual } from 'node:crypto';
import { isIdentifier, isMadeClientId } from '../../contract/identifiers.ts';
import { maximumLiveSecrets } from '../../storage/client.ts';
import { digestClientSecret, isClientSecret } from '../../storage/client-secret.ts';
import type { ClientCredentials, PresentedCredentials } from './client-credentials.ts';
import type { ReadClient, RegisteredClient } from './read-client.ts';
import { TokenError } from './token-error.ts';

/** A client that has proven who it is. */
export interface AuthenticatedClient extends Pick<RegisteredClient, 'organisationId' | 'scopes'> {
  readonly clientId: string;
}

export interface AuthenticateDependencies {
  readonly readClient: ReadClient;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Authenticates a client by its secret.
 *
 * @throws {TokenError} `invalid_client`, the same for no credentials, an unknown or revoked client, a wrong secret
 *   and a dead one
 */
export async function authenticateClient(
  credentials: PresentedCredentials,
  { readClient, now }: AuthenticateDependencies,
): Promise<AuthenticatedClient> {
  const { clientId, clientSecret } = requirePlausible(credentials);
  const client = await readClient(clientId);
  const matches = matchesLiveSecret(digestClientSecret(clientSecret), client, now());
  if (client === undefined) {
    throw TokenError.invalidClient('There is no such client', loggableId(clientId));
  }
  if (!client.active) {
    throw TokenError.invalidClient('The client is revoked', clientId);
  }
  if (!matches) {
    throw TokenError.invalidClient('The client secret is wrong or has ended', clientId);
  }
  return { clientId, organisationId: client.organisationId, scopes: client.scopes };
}

/** What cannot be one of ours costs no read: an id of another form, or a mistyped secret. */
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
 * An id that nobody is known to have is logged only in the form of ours: a caller who confuses the two fields sends
 * its secret as the id.
 */
function loggableId(clientId: string): string | undefined {
  return isMadeClientId(clientId) ? clientId : undefined;
}

/** The digest of nothing that can be presented. */
const dummy = { digest: Buffer.alloc(32), endsAt: Number.NEGATIVE_INFINITY };

/**
 * Compares in constant time, with every secret and always as often: a client that does not exist takes as long as
 * one whose secret is wrong, and the first secret as long as the second.
 */
function matchesLiveSecret(presented: Buffer, client: RegisteredClient | undefined, now: number): boolean {
  const stored = client?.secrets ?? [];
  const padding = Array.from({ length: Math.max(0, maximumLiveSecrets - stored.length) }, () => dummy);
  const outcomes = [...stored, ...padding].map(({ digest, endsAt = Number.POSITIVE_INFINITY }) => {
    const equal = timingSafeEqual(digest, presented);
    return equal && now < endsAt;
  });
  return outcomes.includes(true);
}
