import { type Route, routes } from '../../../contract/routes.ts';
import type { Scope } from '../../../contract/scopes.ts';
import { entrySigningAt, type KeySet, publishedKeys } from '../../../storage/signing-keys.ts';
import { type Client, getClient } from '../clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../errors.ts';
import { getKeySet } from '../signing-keys.ts';
import { type DecodedToken, decodeToken, findProblems } from './verify-token.ts';

/** What a token says, and what the API makes of it. */
export interface TokenExplanation extends DecodedToken {
  /** Whether the API accepts it now. */
  readonly accepted: boolean;
  /** Why the API answers 401: sentences. */
  readonly problems: readonly string[];
  /** The key that the token names, if it is published. */
  readonly signing_key?: TokenKey;
  /** What the token is allowed to do, if it is accepted. */
  readonly endpoints: readonly EndpointAccess[];
  /** The client that the token names, if there is one. */
  readonly client?: Pick<Client, 'client_id' | 'name' | 'status' | 'scopes'>;
}

interface TokenKey {
  readonly kid: string;
  readonly state: 'next' | 'current' | 'retired';
  /** Whether it signs new tokens. */
  readonly signs: boolean;
}

interface EndpointAccess {
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  /** False: the API answers 403 `insufficient_scope`. */
  readonly allowed: boolean;
}

const protectedRoutes: readonly (readonly [Route, Scope])[] = [
  [routes.volumes, 'volume:read'],
  [routes.sync, 'sync:create'],
];

/**
 * Explains a token: its claims, who signed it, and whether the API accepts it.
 *
 * @param now milliseconds since the epoch
 * @throws {CommandError} when the text is not a JWT
 */
export async function explainToken(
  deployment: Deployment,
  token: string,
  now: number = Date.now(),
): Promise<TokenExplanation> {
  const decoded = decodeToken(token);
  if (decoded === undefined) {
    throw new CommandError(
      'This is not an access token: a token has three parts in base64url, joined by dots. Check that it was copied whole.',
    );
  }
  const keySet = await getKeySet(deployment);
  const { BaseUrl: baseUrl } = deployment.outputs;
  const key = findKey(keySet, decoded, now);
  const parts = { key, baseUrl, now: new Date(now) };
  const problems = await findProblems(token, decoded, parts);
  const client = await findClient(deployment, decoded.claims.client_id);
  return {
    accepted: problems.length === 0,
    problems,
    ...decoded,
    ...(key === undefined
      ? {}
      : {
          signing_key: {
            kid: key.jwk.kid,
            state: key.state,
            signs: key === entrySigningAt(keySet, now),
          },
        }),
    endpoints: problems.length === 0 ? endpointsFor(decoded.claims.scope) : [],
    ...(client === undefined ? {} : { client }),
  };
}

function findKey(keySet: KeySet, { header }: DecodedToken, now: number) {
  return publishedKeys(keySet, now).find(({ jwk }) => jwk.kid === header.kid);
}

function endpointsFor(scope: unknown): readonly EndpointAccess[] {
  const held = String(scope).split(' ');
  return protectedRoutes.map(([{ method, path }, required]) => ({
    method,
    path,
    scope: required,
    allowed: held.includes(required),
  }));
}

/** A token may name a client of another deployment, or one that was deleted: that is no error. */
async function findClient(deployment: Deployment, clientId: unknown): Promise<TokenExplanation['client']> {
  if (typeof clientId !== 'string') {
    return undefined;
  }
  try {
    const { client_id, name, status, scopes } = await getClient(deployment, clientId);
    return { client_id, name, status, scopes };
  } catch (error) {
    if (error instanceof CommandError) {
      return undefined;
    }
    throw error;
  }
}
