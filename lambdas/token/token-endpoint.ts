import { type Token, tokenResponses } from '../../contract/bodies/token.ts';
import type { MetricValues, TokenRejection } from '../../contract/internal/metrics.ts';
import { rejectionMessages } from '../../contract/internal/request-log.ts';
import { isEnding } from '../../storage/client-secret.ts';
import type { Deadline } from '../shared/http/deadline.ts';
import { createEndpointHandler, type EndpointDependencies } from '../shared/http/endpoint.ts';
import { type Handler, type HttpEvent, noStore } from '../shared/http/messages.ts';
import { type AuthenticateDependencies, authenticateClient } from './authenticate-client.ts';
import { readClientCredentials } from './client-credentials.ts';
import { grantScopes } from './grant-scopes.ts';
import { type IssueDependencies, issueAccessToken } from './issue-access-token.ts';
import { TokenError } from './token-error.ts';
import { type Form, readForm } from './token-form.ts';

export interface TokenDependencies extends EndpointDependencies, AuthenticateDependencies, IssueDependencies {
  /** Age of the keys, in milliseconds. Undefined before the first load. */
  readonly keysAge?: (now: number) => number | undefined;
}

/** Creates the handler of `POST /oauth/token`: RFC 6749 section 4.4. The handler never throws. */
export function createTokenHandler(dependencies: TokenDependencies): Handler {
  return createEndpointHandler<TokenRejection>(
    {
      responses: tokenResponses,
      // RFC 6749 section 5.1. Both headers are on every response.
      headers: { ...noStore, pragma: 'no-cache' },
      rejected: {
        message: rejectionMessages['client credentials'],
        values: (rejection) => ({ TokensRejected: 1, Reason: rejection }),
      },
      serve: ({ event, withinDeadline }) =>
        withinDeadline((deadline) => grantToken(event, deadline, dependencies)),
    },
    dependencies,
  );
}

/**
 * Checks the request itself first, so that a developer learns about a malformed request without working credentials.
 * Then it authenticates the client, and last it decides the scopes.
 */
async function grantToken(
  event: HttpEvent,
  deadline: Deadline,
  dependencies: TokenDependencies,
): Promise<Token> {
  const form = readForm(event);
  const credentials = readClientCredentials(event.headers.authorization, form);
  requireClientCredentialsGrant(form);
  const client = await authenticateClient(credentials, event.requestContext.http?.sourceIp, dependencies);
  const scopes = grantScopes(form.get('scope'), client);
  const token = await issueAccessToken(client, scopes, dependencies);
  // After the deadline the client gets a 500 and no token, so the log must not report an issued token.
  deadline.throwIfOver();
  const { secret_id, ends_at: secret_ends_at } = client.secret;
  // The log contains only an end that is near, so that a search finds it.
  const ending = isEnding(secret_ends_at, dependencies.now()) && { secret_ends_at };
  const fields = {
    request_id: event.requestContext.requestId,
    client_id: client.clientId,
    organisation_id: client.organisationId,
    scope: token.scope,
    secret_id,
    ...ending,
  };
  dependencies.log('INFO', 'tokenIssued', fields, {
    TokensIssued: 1,
    ...(ending && { SecretsEnding: 1 }),
    ...keysAgeValue(dependencies),
  });
  return token;
}

function keysAgeValue({ keysAge, now }: TokenDependencies): MetricValues {
  const age = keysAge?.(now());
  return age === undefined ? {} : { SigningKeysAge: age / 1000 };
}

function requireClientCredentialsGrant(form: Form): void {
  const grantType = form.get('grant_type');
  if (grantType === undefined) {
    throw TokenError.invalidRequest('grant_type is missing');
  }
  if (grantType !== 'client_credentials') {
    throw TokenError.unsupportedGrantType();
  }
}
