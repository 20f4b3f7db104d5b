import type { Token } from '../../contract/bodies.ts';
import { answerWithinMilliseconds } from '../shared/aws-clients.ts';
import { type Deadline, withinDeadline } from '../shared/http/deadline.ts';
import {
  answerUnexpectedError,
  type HttpAnswer,
  type HttpEvent,
  jsonAnswer,
  noStore,
} from '../shared/http/messages.ts';
import type { Log } from '../shared/log/log.ts';
import type { MetricValues } from '../shared/log/metrics.ts';
import { type AuthenticateDependencies, authenticateClient } from './authenticate-client.ts';
import { readClientCredentials } from './client-credentials.ts';
import { grantScopes } from './grant-scopes.ts';
import { type IssueDependencies, issueAccessToken } from './issue-access-token.ts';
import { TokenError } from './token-error.ts';
import { type Form, readForm } from './token-form.ts';

export interface TokenDependencies extends AuthenticateDependencies, IssueDependencies {
  readonly log: Log;
  /** Milliseconds since the keys were made. Undefined before they were loaded. */
  readonly keysAge?: (now: number) => number | undefined;
  /** Milliseconds within which to answer. */
  readonly answerWithinMilliseconds?: number;
}

/** RFC 6749 section 5.1. Both headers are on every answer. */
const headers = { ...noStore, pragma: 'no-cache' };

/** The handler of `POST /oauth/token`: RFC 6749 section 4.4. Never throws. */
export function createTokenHandler(dependencies: TokenDependencies) {
  return async (event: HttpEvent): Promise<HttpAnswer> => {
    try {
      const work = (deadline: Deadline) => grantToken(event, deadline, dependencies);
      return jsonAnswer(
        200,
        await withinDeadline(dependencies.answerWithinMilliseconds ?? answerWithinMilliseconds, work),
        headers,
      );
    } catch (error) {
      if (error instanceof TokenError) {
        logRefusal(error, event, dependencies.log);
        const body = { error: error.code, error_description: error.description };
        return jsonAnswer(error.status, body, { ...headers, ...error.headers });
      }
      return answerUnexpectedError(error, event, dependencies.log, headers);
    }
  };
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
  const client = await authenticateClient(credentials, dependencies);
  const scopes = grantScopes(form.get('scope'), client);
  const token = await issueAccessToken(client, scopes, dependencies);
  // After the deadline the client has got a 500 and no token, so the log must not say that a token was issued.
  deadline.throwIfOver();
  const fields = {
    request_id: event.requestContext.requestId,
    client_id: client.clientId,
    organisation_id: client.organisationId,
    scope: token.scope,
  };
  dependencies.log('INFO', 'tokenIssued', fields, issuedValues(dependencies));
  return token;
}

function issuedValues({ keysAge, now }: TokenDependencies): MetricValues {
  const age = keysAge?.(now());
  return { TokensIssued: 1, ...(age === undefined ? {} : { SigningKeysAge: age / 1000 }) };
}

function logRefusal({ code, detail, refusal }: TokenError, { requestContext }: HttpEvent, log: Log): void {
  const fields = { request_id: requestContext.requestId, error: code, refusal, ...detail };
  log('WARN', 'tokenRefused', fields, { TokensRefused: 1, Reason: refusal });
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
