import type { Command } from 'commander';
import { statusOf } from '../../operator/clients/client.ts';
import { explainToken, type TokenExplanation } from '../../operator/requests/explain-token.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { readSecret } from '../../terminal/question.ts';
import { type Details, showOne } from '../../terminal/table.ts';
import { type AdminContext, act, type Session } from './session.ts';

const helpText = `
The token is read from standard input, or asked for on a terminal: never from
the command line, which other users of this machine could read. The input may be
a token, an Authorization header or the response of the token endpoint.

Exit codes:
  0  the API accepts the token
  1  the API rejects it: the reason is on standard error`;

/** Creates the command `admin token`. */
export function tokenCommand(context: AdminContext): Command {
  return createCommand(
    'token',
    'explain an access token, to find out why a client gets 401',
    'Explain the access token on standard input: its claims, its key, and whether the API accepts it.',
    '--local token < token.txt',
  )
    .addHelpText('after', helpText)
    .action(act(context, run));
}

async function run(session: Session): Promise<void> {
  const { output, open, note } = session;
  const deployment = await open();
  const given = await readToken(session);
  const explanation = await explainToken(deployment, accessToken.exec(given)?.[0] ?? given);
  showOne(output, explanation, detailsOf(explanation));
  if (!explanation.accepted) {
    throw new CommandError(`The API responds with 401 to this token. ${explanation.problem}`);
  }
  const { allow_from: ranges } = explanation.claims;
  note(`The API accepts this token${ranges === undefined ? '' : ', but only from the addresses above'}.`);
}

/** Matches a token, even in an Authorization header or in a response of the token endpoint. */
const accessToken = /ey[\w-]+\.[\w-]+\.[^\s"]*/;

/**
 * Reads the input that contains a token.
 *
 * @throws {UsageError} if the input is empty
 */
async function readToken({ context, typed }: Session): Promise<string> {
  const given = await readSecret('The access token (it is not shown): ', context);
  if (given === '') {
    throw new UsageError(
      `No access token was read: standard input is empty. Run this on a terminal, which asks for the token, or use a file:\n  ${typed('token')} < FILE`,
    );
  }
  return given;
}

/** Returns the details of a token, for people. */
function detailsOf({ header, claims, client, signing_key: key }: TokenExplanation): Details {
  const ofClient = client ? `${client.name}, ${statusOf(client)}` : 'not a client of this deployment';
  const ofKey = key ? `published as ${key.state}${key.signs ? ', signs now' : ''}` : 'not published';
  return [
    ['Client ID', `${text(claims.client_id) ?? 'none'} (${ofClient})`],
    ['Organisation', text(claims.organisation_id)],
    ['Scopes', text(claims.scope)],
    ['Allowed from', text(claims.allow_from)],
    ['Issued', timeText(claims.iat)],
    ['Expires', timeText(claims.exp)],
    ['Issuer', text(claims.iss)],
    ['Audience', text(claims.aud)],
    ['Signed by', `${text(header.kid) ?? 'no key'}, ${ofKey}`],
    ['Token ID', text(claims.jti)],
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
