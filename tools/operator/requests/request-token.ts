import * as v from 'valibot';
import { routes } from '../../../contract/routes.ts';
import { timestamp } from '../../../storage/attributes.ts';
import { liveSecrets, type StoredClient } from '../../../storage/client.ts';
import { digestClientSecret, isClientSecret } from '../../../storage/client-secret.ts';
import { getStoredClient } from '../clients/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { NextStep } from '../description/next-step.ts';
import { isNotFound, messageOf, OperationError, reasonOf } from '../errors.ts';
import { quoted } from '../text.ts';
import { basicCredentials } from './basic-credentials.ts';

interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** API Gateway answers within 30 s, also when the service does not. */
const timeoutMilliseconds = 35_000;

const answerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ access_token: v.optional(v.string()), error: v.optional(v.string()) }),
);

/**
 * Requests an access token, as the client would.
 *
 * @throws {OperationError} when the token endpoint refuses. The error gives the reason from the tables, which the answer to
 * a client never says
 */
export async function requestToken(deployment: Deployment, request: TokenRequest): Promise<string> {
  const { BaseUrl } = deployment.outputs;
  const { status, body } = await send(`${BaseUrl}${routes.token.path}`, request);
  const answer = v.safeParse(answerSchema, body);
  const { access_token: token, error = 'no error code' } = answer.success ? answer.output : {};
  if (status === 200 && token !== undefined) {
    return token;
  }
  const { why = 'The log of the token function may say why.', next = [] } = await findReason(
    deployment,
    request,
  );
  throw new OperationError(
    'failed',
    `The token endpoint answered ${status} ${quoted(error)}. ${why}`,
    ...next,
  );
}

async function send(url: string, { clientId, clientSecret }: TokenRequest) {
  try {
    const answer = await fetch(url, {
      method: routes.token.method,
      headers: { authorization: basicCredentials(clientId, clientSecret) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      // A redirect could send the secret to another server than the token endpoint.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return { status: answer.status, body: await answer.text() };
  } catch (error) {
    throw new OperationError('failed', `${url} cannot be reached: ${reasonOf(error)}.`);
  }
}

interface Refusal {
  /** The reason in sentences. Undefined when the client and the secret are right. */
  readonly why: string | undefined;
  readonly next?: readonly NextStep[];
}

/** Finds why the request is refused, and what helps next. */
async function findReason(deployment: Deployment, request: TokenRequest): Promise<Refusal> {
  const { clientId, clientSecret } = request;
  try {
    const client = await getStoredClient(deployment, clientId);
    const { status, revoked_at, deleted_at } = client;
    const secret = secretReason(client, clientSecret);
    if (deleted_at !== undefined) {
      return { why: `The client was deleted at ${deleted_at}.` };
    }
    if (status === 'revoked') {
      const why = [`The client was revoked at ${revoked_at}.`, secret].join(' ').trim();
      return { why, next: [{ noun: 'client', verb: 'reinstate', id: clientId }] };
    }
    return { why: secret };
  } catch (error) {
    if (isNotFound(error)) {
      return { why: messageOf(error), next: [{ do: 'search', text: clientId }] };
    }
    throw error;
  }
}

function secretReason(client: StoredClient, clientSecret: string): string | undefined {
  if (!isClientSecret(clientSecret)) {
    return 'The secret is mistyped, cut or from another service: its form or its checksum is wrong.';
  }
  const digest = digestClientSecret(clientSecret).toString('hex');
  const now = timestamp(new Date());
  const stored = client.secrets.find(({ sha256 }) => sha256 === digest);
  if (stored === undefined) {
    const live = liveSecrets(client, now).map(({ secret_id }) => secret_id);
    return `The secret does not belong to this client. The client has ${live.join(' and ') || 'no live secret'}.`;
  }
  return stored.ends_at !== undefined && stored.ends_at <= now
    ? `The secret is ${stored.secret_id}, which ended at ${stored.ends_at}.`
    : undefined;
}
