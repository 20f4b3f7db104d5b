import { Command } from 'commander';
import type { Scope } from '../../../contract/scopes.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { OperationError } from '../../operator/errors.ts';
import { parseScopes } from '../../operator/parse-input.ts';
import { requestToken, type TokenRefusal } from '../../operator/request-token.ts';
import { formatSeconds, quoted } from '../../operator/text.ts';
import { explainToken, type TokenExplanation } from '../../operator/token.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showJson, showOne } from '../../terminal/output.ts';
import { readSecret } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

const helpText = `
The secret or the token is read from standard input, or asked for on a
terminal: never from an option, which other users of this machine could read.
--explain takes a token, an Authorization header or the answer of the token
endpoint.

Exit codes:
  0  the API accepts the token, with every --scope
  1  the token endpoint or the API refuses it: the reason is on standard error`;

interface TokenFlags {
  readonly explain?: boolean;
  readonly scope?: readonly string[];
  readonly show?: boolean;
}

/** `admin token`. */
export function tokenCommand(context: AdminContext): Command {
  const command = new Command('token')
    .summary('get or explain an access token, to find out why a client gets 401')
    .description(
      'Get an access token as a client does, with the client secret on standard input, and explain it: its claims, ' +
        'its key, and what the API makes of it. With --explain, explain the token on standard input.',
    )
    .argument('[client-id]', 'client to get a token for; with --explain, client that the token must name')
    .option('--explain', 'read a token from standard input, not a client secret')
    .option(
      '--scope <scope>',
      'request this scope, or expect it with --explain (repeatable)',
      (value: string, previous: readonly string[] = []) => [...previous, value],
    )
    .option('--show', 'print the token itself too')
    .addHelpText('after', helpText)
    .action(
      act(context, async (session, clientId: string | undefined, flags: TokenFlags) => {
        refuseToken(clientId, session.typed('token', '--explain'));
        const scopes = flags.scope === undefined ? [] : parseScopes(flags.scope);
        const requester = flags.explain ? undefined : requireClientId(clientId);
        const deployment = await session.open();
        const token =
          requester === undefined
            ? await readToken(context)
            : await getToken(deployment, session, requester, scopes);
        const explanation = await explainToken(deployment, token);
        show(session, flags.show ? { ...explanation, access_token: token } : explanation);
        requireExpected(explanation, { clientId, scopes });
        note(session.output, 'The API accepts this token.');
      }),
    );
  return addExamples(
    command,
    '--local token CLIENT_ID < secret.txt',
    '--local token --explain --scope sync:create < token.txt',
  );
}

/** A token that is typed in place of the client id would be looked for as one. */
function refuseToken(clientId: string | undefined, command: string): void {
  if (/^ey[\w-]+\.[\w-]+\./.test(clientId ?? '')) {
    throw new UsageError(
      'A token does not belong on the command line: other users of this machine can read it, and the shell keeps it. ' +
        `Give it on standard input, or run this and paste it:\n  ${command}`,
    );
  }
}

function requireClientId(clientId: string | undefined): string {
  if (clientId === undefined) {
    throw new UsageError('Give the id of the client, or --explain for a token that you have.');
  }
  return clientId;
}

async function readToken(context: AdminContext): Promise<string> {
  const text = await readSecret('Access token (it is not shown): ', context);
  const token = withoutWrapping(text);
  if (/^fss_/.test(token)) {
    throw new UsageError('Standard input is a client secret, not a token: leave out --explain.');
  }
  if (token === '') {
    throw new UsageError('Standard input is empty: pipe in the token that you want explained.');
  }
  return token;
}

/** People have the token in an Authorization header, or in the answer of the token endpoint. */
function withoutWrapping(text: string): string {
  const inAnswer = /"access_token"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return (
    inAnswer ??
    text
      .replace(/^authorization:/i, '')
      .replace(/^\s*bearer\s+/i, '')
      .trim()
  );
}

async function getToken(
  deployment: Deployment,
  { context, output }: Session,
  clientId: string,
  scopes: readonly Scope[],
): Promise<string> {
  const clientSecret = await readSecret(`Client secret of ${quoted(clientId)} (it is not shown): `, context);
  if (clientSecret === '') {
    throw new UsageError(
      'Standard input is empty: pipe in the client secret, or add --explain for a token that you have.',
    );
  }
  if (/^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(clientSecret)) {
    throw new UsageError('Standard input is a token, not a client secret: add --explain.');
  }
  const answer = await requestToken(deployment, { clientId, clientSecret, scopes });
  if ('token' in answer) {
    return answer.token;
  }
  if (output.json) {
    const { next: _, ...refusal } = answer.refusal;
    showJson(output, { accepted: false, ...refusal });
  }
  throw refused(answer.refusal);
}

function refused({ status, error, reasons, next }: TokenRefusal): OperationError {
  const code = error === undefined ? '' : ` ${quoted(error)}`;
  const why =
    reasons.length === 0 ? ['The tables do not say why: search the log of the token function.'] : reasons;
  const message = [`The token endpoint answered ${status}${code}.`, ...why].join(' ');
  return new OperationError('failed', message, ...next);
}

interface Expected {
  readonly clientId: string | undefined;
  readonly scopes: readonly Scope[];
}

/** Shows what is known about a token, also one that the API refuses. */
function show({ output }: Session, token: ShownToken): void {
  showOne(output, token, (shown) => tokenDetails(shown, Date.now()));
  if (!token.accepted) {
    throw new CommandError(`The API answers 401 to this token. ${token.problem}`);
  }
}

function requireExpected({ claims, client }: TokenExplanation, { clientId, scopes }: Expected): void {
  if (clientId !== undefined && claims.client_id !== clientId) {
    throw new CommandError(`This is a token of the client ${quoted(String(claims.client_id))}.`);
  }
  const granted = String(claims.scope).split(' ');
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) {
    return;
  }
  const held = missing.every((scope) => client?.scopes.includes(scope));
  throw new CommandError(
    `The token lacks the scope ${missing.map(quoted).join(' and ')}, so the API answers 403 "insufficient_scope". ` +
      (held
        ? 'The client holds it, but did not request it for this token.'
        : 'The client does not hold it: client set-scopes allows it for new tokens.'),
  );
}

/** A token as it is shown: itself only on request. */
type ShownToken = TokenExplanation & { readonly access_token?: string };

/**
 * The details of a token, for people.
 *
 * @param now milliseconds since the epoch
 */
function tokenDetails(token: ShownToken, now: number): readonly (readonly [string, string | undefined])[] {
  const { claims, endpoints, access_token } = token;
  return [
    ['Client ID', clientText(token)],
    ['Organisation', text(claims.organisation_id)],
    ['Scopes', text(claims.scope)],
    ['Issued', timeText(claims.iat, now)],
    ['Expires', timeText(claims.exp, now)],
    ['Issuer', text(claims.iss)],
    ['Audience', text(claims.aud)],
    ['Signed by', keyText(token)],
    ['Token ID', text(claims.jti)],
    ...endpoints.map(
      ({ method, path, scope, allowed }) =>
        [`${method} ${path}`, allowed ? 'allowed' : `403: needs the scope ${scope}`] as const,
    ),
    ['Token', access_token],
  ];
}

function clientText({ claims, client }: ShownToken): string {
  const id = text(claims.client_id) ?? 'none';
  return client === undefined
    ? `${id} (not a client of this deployment)`
    : `${id} (${client.name}, ${client.status})`;
}

function keyText({ header, signing_key }: ShownToken): string {
  if (signing_key === undefined) {
    return `${text(header.kid) ?? 'no key'}, which is not published`;
  }
  const { kid, state, signs } = signing_key;
  return `${kid}, published as ${state}${signs ? ', signs now' : ''}`;
}

/** `2026-01-31T09:00:00.000Z, 5 min 00 s ago`, from seconds since the epoch. */
function timeText(seconds: unknown, now: number): string | undefined {
  const time = typeof seconds === 'number' ? new Date(seconds * 1000) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) {
    return text(seconds);
  }
  const distance = (time.getTime() - now) / 1000;
  return `${time.toISOString()}, ${distance > 0 ? `in ${formatSeconds(distance)}` : `${formatSeconds(-distance)} ago`}`;
}

function text(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}
