import { isUtf8 } from 'node:buffer';
import { maxTokenRequestBytes } from '../../contract/limits.ts';
import type { HttpEvent } from '../shared/http/messages.ts';
import { TokenError } from './token-error.ts';

/** Parameters of a token request. Each appears once, and none is empty. */
export type Form = ReadonlyMap<string, string>;

/**
 * Reads the form of a token request (RFC 6749 section 3.2 and appendix B).
 *
 * @throws {TokenError} `invalid_request`
 */
export function readForm(event: Pick<HttpEvent, 'headers' | 'body' | 'isBase64Encoded'>): Form {
  if (!isForm(event.headers['content-type'])) {
    throw TokenError.invalidRequest('The content type must be application/x-www-form-urlencoded');
  }
  const text = event.body ?? '';
  const bytes = event.isBase64Encoded ? Buffer.from(text, 'base64') : Buffer.from(text);
  if (bytes.length > maxTokenRequestBytes) {
    throw TokenError.invalidRequest(`The body must not exceed ${maxTokenRequestBytes} bytes`);
  }
  if (!isUtf8(bytes)) {
    throw notUtf8();
  }
  return collect(bytes.toString().split('&').map(parsePair));
}

/**
 * Compares the media type, case-insensitively. Parameters are ignored, because the media type defines none
 * (RFC 6749 appendix B). Many clients send another charset with an ASCII body, and the bytes of the body must
 * be UTF-8 in any case.
 */
// Stryker disable next-line StringLiteral: any other text without a media type is no form either
function isForm(contentType = ''): boolean {
  return /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i.test(contentType.trim());
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
 * A parameter without a value counts as omitted, so it is not a repetition either. Every other parameter may
 * occur only once, even an ignored one (RFC 6749 section 3.2). `resource`, which is ignored, may repeat (RFC
 * 8707 section 2).
 */
function collect(pairs: readonly (readonly [string, string])[]): Form {
  const form = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (value === '') {
      continue;
    }
    if (form.has(name) && name !== 'resource') {
      throw TokenError.invalidRequest(`${isKnown(name) ? name : 'A parameter'} is included more than once`);
    }
    form.set(name, value);
  }
  return form;
}

/** A response repeats only these names: other text of the request could be harmful or secret. */
const knownParameters = ['grant_type', 'client_id', 'client_secret', 'scope'];

function isKnown(name: string): boolean {
  return knownParameters.includes(name);
}

function notUtf8(): TokenError {
  return TokenError.invalidRequest('The body must be percent-encoded UTF-8');
}

/**
 * Decodes one name or value of application/x-www-form-urlencoded text. `+` is a space. Percent-encoded bytes must be
 * UTF-8: `decodeURIComponent` throws for other bytes.
 *
 * @returns undefined for malformed text
 */
export function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
