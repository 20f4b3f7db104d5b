import * as v from 'valibot';
import { routes } from '../../contract/routes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { timestamp } from '../../storage/attributes.ts';
import { liveSecrets, type StoredClient } from '../../storage/client.ts';
import { digestClientSecret, isClientSecret } from '../../storage/client-secret.ts';
import { getStoredClient } from './clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import { type NextStep, OperationError, reasonOf } from './errors.ts';
import { quoted } from './text.ts';

interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: every scope that the client holds. */
  readonly scopes: readonly Scope[];
}

/** The token endpoint refused the request. */
export interface TokenRefusal {
  readonly status: number;
  /** Code of RFC 6749 section 5.2. */
  readonly error?: string;
  /** Why, as the tables tell an operator. The answer to a client never says that. Sentences. */
  readonly reasons: readonly string[];
  readonly next: readonly NextStep[];
}

type TokenAnswer = { readonly token: string } | { readonly refusal: TokenRefusal };

/** API Gateway answers within 30 s, with an error of its own if the service did not answer. */
const timeoutMilliseconds = 35_000;

/**
 * Requests an access token, as the client would.
 *
 * @throws {OperationError} when the token endpoint cannot be reached
 */
export async function requestToken(deployment: Deployment, request: TokenRequest): Promise<TokenAnswer> {
  const { url, status, body } = await send(deployment.outputs.BaseUrl, request);
  if (status === 200) {
    const granted = v.safeParse(tokenSchema, body);
    if (!granted.success) {
      throw notTheService(url, '200 without a token response');
    }
    return { token: granted.output.access_token };
  }
  const parsed = v.safeParse(errorSchema, body);
  const why = await findReasons(deployment, request);
  return { refusal: { status, ...(parsed.success ? { error: parsed.output.error } : {}), ...why } };
}

function notTheService(url: string, answered: string): OperationError {
  return new OperationError(
    'failed',
    `${url} answered ${answered}, which the service never does. Check what the base URL points at, and that no proxy is in between.`,
  );
}

const tokenSchema = v.pipe(v.string(), v.parseJson(), v.object({ access_token: v.string() }));
const errorSchema = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }));

async function send(baseUrl: string, { clientId, clientSecret, scopes }: TokenRequest) {
  const url = `${baseUrl}${routes.token.path}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) {
    form.set('scope', scopes.join(' '));
  }
  try {
    const answer = await fetch(url, {
      method: routes.token.method,
      headers: { authorization: basicCredentials(clientId, clientSecret) },
      body: form,
      // The secret must reach the token endpoint alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return { url, status: answer.status, body: await answer.text() };
  } catch (error) {
    throw new OperationError('failed', `${url} cannot be reached: ${reasonOf(error)}.`);
  }
}

/** RFC 6749 section 2.3.1: both parts are form-urlencoded before they are joined. */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}

async function findReasons(
  deployment: Deployment,
  request: TokenRequest,
): Promise<Pick<TokenRefusal, 'reasons' | 'next'>> {
  try {
    const client = await getStoredClient(deployment, request.clientId);
    const isRevoked = client.status === 'revoked' && client.deleted_at === undefined;
    return {
      reasons: [
        ...statusReasons(client),
        ...secretReasons(client, request),
        ...scopeReasons(client, request),
      ],
      next: isRevoked ? [{ do: 'restore client', clientId: client.client_id }] : [],
    };
  } catch (error) {
    if (error instanceof OperationError) {
      return { reasons: [error.message], next: error.next };
    }
    throw error;
  }
}

function statusReasons({ status, revoked_at, deleted_at }: StoredClient): string[] {
  if (deleted_at !== undefined) {
    return [`The client was deleted at ${deleted_at}.`];
  }
  return status === 'active' ? [] : [`The client was revoked at ${revoked_at}.`];
}

function secretReasons(client: StoredClient, { clientSecret }: TokenRequest): string[] {
  if (!isClientSecret(clientSecret)) {
    return ['The secret is mistyped, cut or not from here: its form or its checksum is wrong.'];
  }
  const digest = digestClientSecret(clientSecret).toString('hex');
  const now = timestamp(new Date());
  const stored = client.secrets.find(({ sha256 }) => sha256 === digest);
  if (stored?.ends_at !== undefined && stored.ends_at <= now) {
    return [`The secret is ${stored.secret_id}, which ended at ${stored.ends_at}.`];
  }
  if (stored !== undefined) {
    return [];
  }
  const live = liveSecrets(client, now).map(({ secret_id }) => secret_id);
  return [
    `The secret is none of this client's. It has ${live.length === 0 ? 'no live secret' : live.join(' and ')}.`,
  ];
}

function scopeReasons({ scopes: held }: StoredClient, { scopes }: TokenRequest): string[] {
  const missing = scopes.filter((scope) => !held.includes(scope));
  return missing.length === 0
    ? []
    : [`The client does not hold ${missing.map(quoted).join(' and ')}. It holds ${held.join(' ')}.`];
}
