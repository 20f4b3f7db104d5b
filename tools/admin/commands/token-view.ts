import { formatSeconds } from '../../operator/text.ts';
import type { TokenExplanation } from '../../operator/token/explain-token.ts';

/** A token as it is shown: itself only on request. */
export type ShownToken = TokenExplanation & { readonly access_token?: string };

/**
 * The details of a token, for people.
 *
 * @param now milliseconds since the epoch
 */
export function tokenDetails(
  token: ShownToken,
  now: number,
): readonly (readonly [string, string | undefined])[] {
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
