import { maximumTokenRequestBytes } from '../../contract/limits.ts';
import type { HttpEvent } from '../shared/http.ts';
import { TokenError } from './token-error.ts';

/** Parameters of a token request: each once, none empty. */
export type Form = ReadonlyMap<string, string>;

/**
 * Reads the form of a token request (RFC 6749 section 3.2 and appendix B).
 *
 * @throws {TokenError} `invalid_request`
 */
export function readForm(event: Pick<HttpEvent, 'headers' | 'body' | 'isBase64Encoded'>): Form {
  if (!isUtf8Form(event.headers['content-type'])) {
    throw TokenError.invalidRequest('The content type must be application/x-www-form-urlencoded in UTF-8');
  }
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maximumTokenRequestBytes) {
    throw TokenError.invalidRequest(`The body must not exceed ${maximumTokenRequestBytes} bytes`);
  }
  return collect(decodeUtf8(bytes).split('&').map(parsePair));
}

/** The media type in any case; of its parameters only a charset matters, and it must be the one it always has. */
function isUtf8Form(contentType: string | undefined): boolean {
  const [mediaType, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return (
    mediaType === 'application/x-www-form-urlencoded' &&
    charsets.every((charset) => /^charset="?utf-8"?$/.test(charset))
  );
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function parsePair(pair: string): readonly [string, string] {
  const equals = pair.indexOf('=');
  const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
  const decoded = [decodeFormText(name), decodeFormText(value)] as const;
  if (decoded[0] === undefined || decoded[1] === undefined) {
    throw notUtf8();
  }
  return [decoded[0], decoded[1]];
}

/**
 * A parameter without a value counts as omitted, and so does not count as a repetition either. Any other one may
 * come only once, also one that we would ignore: RFC 6749 section 3.2 knows no exception.
 */
function collect(pairs: readonly (readonly [string, string])[]): Form {
  const form = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (value === '') {
      continue;
    }
    if (form.has(name)) {
      throw TokenError.invalidRequest(`${isKnown(name) ? name : 'A parameter'} is included more than once`);
    }
    form.set(name, value);
  }
  return form;
}

/** Only names that are ours are said again in an answer. */
const knownParameters = ['grant_type', 'client_id', 'client_secret', 'scope'];

function isKnown(name: string): boolean {
  return knownParameters.includes(name);
}

function notUtf8(): TokenError {
  return TokenError.invalidRequest('The body must be percent-encoded UTF-8');
}

/**
 * Decodes one part of application/x-www-form-urlencoded text: `+` is a space, and percent-encoded bytes must be
 * UTF-8, which `decodeURIComponent` insists on.
 *
 * @returns undefined for text that is not well-formed
 */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
