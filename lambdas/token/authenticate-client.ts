import { timingSafeEqual } from 'node:crypto';
import { digestClientSecret, isClientSecret } from '../shared/client-secret.ts';
import { identifierPattern } from '../shared/contract.ts';
import type { ClientCredentials, PresentedCredentials } from './client-credentials.ts';
import type { ReadClient, StoredClient } from './read-client.ts';
import { TokenError } from './token-error.ts';

/** A client that has proven who it is. */
export interface AuthenticatedClient extends Pick<StoredClient, 'organisationId' | 'scopes'> {
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
  if (!identifierPattern.test(credentials.clientId)) {
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

/** The form of the ids that the command line makes: cli/identifiers.ts. */
const madeId = /^client_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * An id that nobody is known to have is logged only in the form of ours: a caller who confuses the two fields sends
 * its secret as the id.
 */
function loggableId(clientId: string): string | undefined {
  return madeId.test(clientId) ? clientId : undefined;
}

/** A client has at most two live secrets. */
const comparisons = 2;

/** The digest of nothing that can be presented. */
const dummy = { digest: Buffer.alloc(32), endsAt: Number.NEGATIVE_INFINITY };

/**
 * Compares in constant time, with every secret and always as often: a client that does not exist takes as long as
 * one whose secret is wrong, and the first secret as long as the second.
 */
function matchesLiveSecret(presented: Buffer, client: StoredClient | undefined, now: number): boolean {
  const stored = client?.secrets ?? [];
  const padding = Array.from({ length: Math.max(0, comparisons - stored.length) }, () => dummy);
  const outcomes = [...stored, ...padding].map(({ digest, endsAt = Number.POSITIVE_INFINITY }) => {
    const equal = timingSafeEqual(digest, presented);
    return equal && now < endsAt;
  });
  return outcomes.includes(true);
}
