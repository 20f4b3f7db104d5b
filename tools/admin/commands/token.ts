import type { Command } from 'commander';
import { explainToken, type TokenExplanation } from '../../operator/requests/explain-token.ts';
import { requestToken } from '../../operator/requests/request-token.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { readSecret } from '../../terminal/question.ts';
import { type Details, showOne } from '../../terminal/table.ts';
import { type AdminContext, act, type Session } from './session.ts';

const helpText = `
The secret or the token is read from standard input, or asked for on a
terminal: never from an option, which other users of this machine could read.
--explain accepts a token, an Authorization header or the response of the token
endpoint.

Exit codes:
  0  the API accepts the token
  1  the token endpoint or the API rejects it: the reason is on standard error`;

/** Creates the command `admin token`. */
export function tokenCommand(context: AdminContext): Command {
  return createCommand(
    'token',
    'get or explain an access token, to find out why a client gets 401',
    'Get an access token as a client does, with the client secret on standard input, and explain the token: its ' +
      'claims, its key, and whether the API accepts it. With --explain, explain the token on standard input.',
    '--local token CLIENT_ID < secret.txt',
    '--local token --explain < token.txt',
  )
    .argument('[client-id]', 'the client that gets the token')
    .option('--explain', 'read a token from standard input, not a client secret')
    .addHelpText('after', helpText)
    .action(act(context, run));
}

async function run(session: Session, clientId: string | undefined, flags: { readonly explain?: true }) {
  rejectToken(session, clientId);
  if ((clientId === undefined) !== (flags.explain === true)) {
    throw new UsageError('Add the id of a client, or --explain to explain an existing token.');
  }
  const { output, open, note } = session;
  const deployment = await open();
  const given = await readGiven(session, clientId);
  const token =
    clientId === undefined
      ? (accessToken.exec(given)?.[0] ?? given)
      : await requestToken(deployment, { clientId, clientSecret: given });
  const explanation = await explainToken(deployment, token);
  showOne(output, explanation, detailsOf(explanation));
  if (!explanation.accepted) {
    throw new CommandError(`The API responds with 401 to this token. ${explanation.problem}`);
  }
  note('The API accepts this token.');
}

/** Matches a token, even in an Authorization header or in a response of the token endpoint. */
const accessToken = /ey[\w-]+\.[\w-]+\.[^\s"]*/;

/** Rejects a token that was typed in place of the client id. */
function rejectToken({ typed }: Session, clientId = ''): void {
  if (accessToken.test(clientId)) {
    throw new UsageError(
      'A token does not belong on the command line: other users of this machine can read the token, and the shell keeps it. ' +
        `Send the token to standard input, or run this and paste the token:\n  ${typed('token', '--explain')}`,
    );
  }
}

/**
 * Reads the secret of the client, or a token.
 *
 * @throws {UsageError} if the input is empty
 */
async function readGiven({ context, typed }: Session, clientId: string | undefined): Promise<string> {
  const what = clientId === undefined ? 'access token' : 'client secret';
  const given = await readSecret(`The ${what} (it is not shown): `, context);
  if (given === '') {
    throw new UsageError(
      `No ${what} was read: standard input is empty. Run this on a terminal, which asks for the ${what}, or use a file:\n  ${typed('token', clientId ?? '--explain')} < FILE`,
    );
  }
  return given;
}

/** Returns the details of a token, for people. */
function detailsOf({ header, claims, client, signing_key: key, endpoints }: TokenExplanation): Details {
  const ofClient = client ? `${client.name}, ${client.status}` : 'not a client of this deployment';
  const ofKey = key ? `published as ${key.state}${key.signs ? ', signs now' : ''}` : 'not published';
  return [
    ['Client ID', `${text(claims.client_id) ?? 'none'} (${ofClient})`],
    ['Organisation', text(claims.organisation_id)],
    ['Scopes', text(claims.scope)],
    ['Issued', timeText(claims.iat)],
    ['Expires', timeText(claims.exp)],
    ['Issuer', text(claims.iss)],
    ['Audience', text(claims.aud)],
    ['Signed by', `${text(header.kid) ?? 'no key'}, ${ofKey}`],
    ['Token ID', text(claims.jti)],
    ...endpoints.map(
      ({ method, path, scope, allowed }) =>
        [`${method} ${path}`, allowed ? 'allowed' : `403: needs the scope ${scope}`] as const,
    ),
  ];
}

/** Formats a time in seconds since the epoch. */
function timeText(seconds: unknown): string | undefined {
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? text(seconds) : time.toISOString();
}

/** Formats a value of a header or claim. Returns undefined if it is absent. */
function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
