import type { Token } from '../../contract/bodies.ts';
import { answerWithinMs } from '../shared/aws-clients.ts';
import { withinDeadline } from '../shared/deadline.ts';
import { type HttpAnswer, type HttpEvent, internalErrorBody, jsonAnswer, noStore } from '../shared/http.ts';
import { describeError, type Log } from '../shared/log.ts';
import { type AuthenticateDependencies, authenticateClient } from './authenticate-client.ts';
import { readClientCredentials } from './client-credentials.ts';
import { type Form, readForm } from './form.ts';
import { grantScopes } from './grant-scopes.ts';
import { type IssueDependencies, issueAccessToken } from './issue-access-token.ts';
import { TokenError } from './token-error.ts';

export interface TokenDependencies extends AuthenticateDependencies, IssueDependencies {
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMs?: number;
}

/** RFC 6749 section 5.1: both headers, on every answer. */
const headers = { ...noStore, pragma: 'no-cache' };

/** The handler of `POST /oauth/token`: RFC 6749 section 4.4. Never throws. */
export function createTokenHandler(dependencies: TokenDependencies) {
  return async (event: HttpEvent): Promise<HttpAnswer> => {
    try {
      const work = (signal: AbortSignal) => grantToken(event, signal, dependencies);
      return jsonAnswer(
        200,
        await withinDeadline(dependencies.answerWithinMs ?? answerWithinMs, work),
        headers,
      );
    } catch (error) {
      if (error instanceof TokenError) {
        logRefusal(error, event, dependencies.log);
        const body = { error: error.code, error_description: error.description };
        return jsonAnswer(error.status, body, { ...headers, ...error.headers });
      }
      const { requestId } = event.requestContext;
      dependencies.log('ERROR', 'requestFailed', {
        request_id: requestId,
        route: event.routeKey,
        ...describeError(error),
      });
      return jsonAnswer(500, internalErrorBody, headers);
    }
  };
}

/**
 * What is wrong with the request itself comes before who sends it, so that a client under development learns of it
 * without credentials; what the client may have comes last.
 */
async function grantToken(
  event: HttpEvent,
  signal: AbortSignal,
  dependencies: TokenDependencies,
): Promise<Token> {
  const form = readForm(event);
  const credentials = readClientCredentials(event.headers.authorization, form);
  requireClientCredentialsGrant(form);
  const client = await authenticateClient(credentials, dependencies);
  const scopes = grantScopes(form.get('scope'), client.scopes);
  const token = await issueAccessToken(client, scopes, dependencies);
  // Nobody gets a token that comes too late, so the log must not say so.
  signal.throwIfAborted();
  dependencies.log('INFO', 'tokenIssued', {
    request_id: event.requestContext.requestId,
    client_id: client.clientId,
    scope: token.scope,
  });
  return token;
}

function logRefusal({ code, detail }: TokenError, { requestContext }: HttpEvent, log: Log): void {
  log('WARN', 'tokenRefused', { request_id: requestContext.requestId, error: code, ...detail });
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
