import { accessTokenType } from '../../../contract/access-token.ts';
import type { SyncRejection, TokenRejection } from '../../../contract/internal/metrics.ts';
import { type Route, routeKeysOf, routes } from '../../../contract/routes.ts';
import { fileFromItem } from '../../../storage/file.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItem } from '../deployment/items.ts';
import type { NextStep } from '../description/next-step.ts';
import type { LogMembers } from './logs.ts';

/** Explanation of a response, with next steps. */
interface Explanation {
  /** Cause of the response, in sentences. */
  readonly why: string;
  readonly next?: readonly NextStep[];
}

/** Rejections caused by the token itself. */
type TokenCheck = 'invalid_token' | 'expired_token';

/** Rejections with advice of their own. */
type AdvisedRejection = Exclude<TokenRejection | SyncRejection, TokenCheck>;

/** Advice for each rejection of a function. It follows the reason from the log. */
const rejectionAdvice: Readonly<Record<AdvisedRejection, string>> = {
  malformed_credentials:
    'The application must send the client id and the whole secret, with HTTP Basic or in the form.',
  unknown_client:
    'The client may belong to another deployment, or may have been deleted. Check FILE_SYNC_BASE_URL.',
  revoked_client: 'Reinstate the client if it may get tokens again, or undelete it if it was deleted.',
  suspended_client: 'Resume its organisation if its clients may get tokens again.',
  wrong_secret:
    'The details of the client list its secrets. If the application has lost its secret, create a new one.',
  address_not_allowed:
    'The secret or token was right. Change the addresses of the client if its application moved. Otherwise somebody else has the secret or token: end it.',
  ended_secret:
    'The details of the client list its secrets. The application must use another secret, such as a new one.',
  invalid_request: 'The application must correct its request. The response contained this sentence.',
  unsupported_grant_type: 'The application must send grant_type=client_credentials.',
  invalid_scope: 'The application must request fewer scopes, or the client needs more.',
  no_token: 'The application must send its access token: Authorization: Bearer TOKEN.',
  insufficient_scope:
    'The token was requested with fewer scopes, or the client has fewer. Set all scopes that the client needs.',
  not_found: 'The application must use the id of a file of its organisation.',
  sync_not_enabled: 'Enable syncing if clients may upload this file.',
  suspended_file: 'The organisation is suspended. Resume it if its clients may upload again.',
};

/** Returns the next steps of an operator after a rejection. */
function stepsFor(
  rejection: AdvisedRejection,
  { client_id, file_id, organisation_id }: LogMembers,
): readonly NextStep[] {
  switch (rejection) {
    case 'wrong_secret':
    case 'ended_secret':
      return [{ noun: 'client', verb: 'rotate-secret', id: client_id }];
    case 'revoked_client':
      return [{ noun: 'client', verb: 'reinstate', id: client_id }];
    case 'suspended_client':
    case 'suspended_file':
      return [{ noun: 'organisation', verb: 'resume', id: organisation_id }];
    case 'insufficient_scope':
    case 'invalid_scope':
    case 'address_not_allowed':
      // Only the operator knows all scopes and ranges that the client needs, and `set-scopes` and `set-addresses` replace them.
      return [{ noun: 'client', verb: 'show', id: client_id }];
    case 'sync_not_enabled':
      return [{ noun: 'file', verb: 'enable-sync', id: file_id }];
    case 'malformed_credentials':
    case 'unknown_client':
    case 'invalid_request':
    case 'unsupported_grant_type':
    case 'no_token':
    case 'not_found':
      return [];
  }
}

/** Explains the response to a request. Reads the file of a 404, because an operator may know more than the client. */
export async function explain(deployment: Deployment, facts: LogMembers): Promise<Explanation> {
  const { rejection, reason = '' } = facts;
  if (rejection === undefined) {
    return explainStatus(facts);
  }
  if (rejection === 'invalid_token' || rejection === 'expired_token') {
    return { why: sentenceFor(facts, deployment.outputs.BaseUrl) };
  }
  if (rejection === 'not_found') {
    return { why: `${await fileReason(deployment, facts)} ${rejectionAdvice[rejection]}` };
  }
  return { why: `${reason}. ${rejectionAdvice[rejection]}`, next: stepsFor(rejection, facts) };
}

/** Explains a rejection of a token in a sentence. */
function sentenceFor({ rejection, token_problem, claim, reason }: LogMembers, baseUrl: string): string {
  if (rejection === 'expired_token') {
    return 'The token has expired. The client must request a new one.';
  }
  switch (token_problem) {
    case 'wrong_claim':
      return `The ${claim} of the token is wrong: this deployment issues tokens with typ "${accessTokenType}", and with ${baseUrl} as iss and aud.`;
    case 'wrong_signature':
      return 'The signature is wrong: the token was changed, cut or forged.';
    case 'unpublished_key':
      return 'No published key has the kid of the token: the key was revoked or is long retired, or the token is from another deployment.';
    case 'malformed':
    case 'forbidden_header':
    case 'missing_claim':
    case 'unverifiable':
    case undefined:
      return `${reason}. The client must send the token as it was issued.`;
  }
}

/** Explains why an organisation cannot sync a file. */
async function fileReason(deployment: Deployment, facts: LogMembers): Promise<string> {
  const item = facts.file_id && (await readItem(deployment, 'file', facts.file_id));
  if (!item) {
    return 'No file has the id in the request. The log keeps only ids of files that exist.';
  }
  const { deleted_at, organisation_id, created_at } = fileFromItem(item);
  if (deleted_at !== undefined) {
    return `The file was deleted at ${deleted_at}.`;
  }
  return organisation_id === facts.organisation_id
    ? `The file exists now: it was created at ${created_at}.`
    : `The file belongs to the organisation ${organisation_id}.`;
}

/** Explains a response that is not a rejection by a function. */
function explainStatus(facts: LogMembers): Explanation {
  const { status = 0, error_name, error_message, integration_error = 'no reason is known' } = facts;
  if (status < 400) {
    return { why: 'The request succeeded.' };
  }
  if (status >= 500) {
    const why =
      error_name === undefined
        ? `No function responded in time (${integration_error}). The function crashed, or Lambda had too many executions at the same time. Read the log of the function.`
        : `The service failed: ${[error_name, error_message].filter(Boolean).join(': ')}.`;
    return { why: `${why} The client may retry.`, next: [{ do: 'check deployment' }] };
  }
  return { why: whyOfGateway(status, routeOf(facts.route)) };
}

/**
 * Explains a rejection without the log line of a function.
 *
 * @param route undefined if the API does not define the route
 */
export function whyOfGateway(status: number, route: Route | undefined): string {
  if (route === undefined) {
    return `The API has no such method and path, and the log does not keep them. The routes are ${Object.values(routes).flatMap(routeKeysOf).join(', ')}.`;
  }
  if (status === 413) {
    return 'The body is too large for the API. A client sends a file to the upload URL, never to the API.';
  }
  if (status === 429) {
    const setting = route.rateLimit === undefined ? '' : ` (the setting ${route.rateLimit})`;
    return `All clients together exceeded the rate limit of this route${setting}. The client must retry with exponential backoff. Before you raise the limit, read docs/cost.md.`;
  }
  return `The function ${route.servedBy} rejected the request. Its log contains the reason, but no line of the request was found there.`;
}

/** Returns a route from its key in a log. Undefined if the API does not define the route. */
export function routeOf(key: string | undefined): Route | undefined {
  return Object.values(routes).find((route) => routeKeysOf(route).some((known) => known === key));
}
