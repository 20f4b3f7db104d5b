import * as v from 'valibot';
import { routes } from '../../../contract/routes.ts';
import type { Timestamp } from '../../../storage/attributes.ts';
import { clientFromItem, liveSecrets, type StoredClient } from '../../../storage/client.ts';
import { digestClientSecret, isClientSecret } from '../../../storage/client-secret.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItem } from '../deployment/items.ts';
import { OperationError, reasonOf } from '../errors.ts';
import { notFound } from '../search-text.ts';
import { quoted } from '../text.ts';
import { basicCredentials, mistypedSecret } from './basic-credentials.ts';

interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** API Gateway responds within 30 s, even if the service does not. */
const timeoutMilliseconds = 35_000;

/** Schema of a response. Both members are absent if the response is not from a token endpoint. */
const responseSchema = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.object({ access_token: v.optional(v.string()), error: v.optional(v.string()) }),
  ),
  {},
);

/**
 * Requests an access token, as the client would.
 *
 * @throws {OperationError} when the token endpoint rejects the request. The error contains the reason from
 * the tables, which the endpoint does not disclose
 */
export async function requestToken(deployment: Deployment, request: TokenRequest): Promise<string> {
  const { status, body } = await send(`${deployment.outputs.BaseUrl}${routes.token.path}`, request);
  const { access_token: token, error = 'no error code' } = v.parse(responseSchema, body);
  if (status === 200 && token !== undefined) {
    return token;
  }
  const { message, next } = await findReason(deployment, request);
  throw new OperationError(
    `The token endpoint responded with ${status} ${quoted(error)}. ${message}`,
    ...next,
  );
}

async function send(url: string, { clientId, clientSecret }: TokenRequest) {
  try {
    const response = await fetch(url, {
      method: routes.token.method,
      headers: { authorization: basicCredentials(clientId, clientSecret) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      // A redirect could send the secret to another server.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    throw new OperationError(`${url} cannot be reached: ${reasonOf(error)}.`);
  }
}

/** Finds the reason for a rejection, with next steps. */
async function findReason(
  deployment: Deployment,
  { clientId, clientSecret }: TokenRequest,
): Promise<OperationError> {
  const item = await readItem(deployment, 'client', clientId);
  if (item === undefined) {
    return notFound('client', clientId);
  }
  const client = clientFromItem(item);
  const { status, revoked_at, deleted_at } = client;
  if (deleted_at !== undefined) {
    return new OperationError(`The client was deleted at ${deleted_at}.`);
  }
  const secret = secretReason(client, clientSecret, timeOf(deployment));
  if (status === 'revoked') {
    const next = { noun: 'client', verb: 'reinstate', id: clientId } as const;
    return new OperationError(`The client was revoked at ${revoked_at}. ${secret}`.trim(), next);
  }
  return new OperationError(secret || 'Read the log of the token function.');
}

/** Explains the error of a secret, in sentences. */
function secretReason(client: StoredClient, clientSecret: string, now: Timestamp): string {
  if (!isClientSecret(clientSecret)) {
    return mistypedSecret;
  }
  const digest = digestClientSecret(clientSecret).toString('hex');
  const stored = client.secrets.find(({ sha256 }) => sha256 === digest);
  const live = liveSecrets(client, now);
  if (stored === undefined) {
    const ids = live.map(({ secret_id }) => secret_id).join(' and ');
    return `The secret does not belong to this client. The client has ${ids || 'no live secret'}.`;
  }
  return live.includes(stored) ? '' : `The secret is ${stored.secret_id}, which ended at ${stored.ends_at}.`;
}
