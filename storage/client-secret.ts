import { createHash } from 'node:crypto';
import { newIdentifier } from '../contract/identifiers.ts';
// Types only: the upload tool must not load the schemas.
import type { Timestamp } from './attributes.ts';
import type { StoredSecret } from './client.ts';

type RandomBytes = (size: number) => Uint8Array;

const prefix = 'fss_';
const randomBytesPerSecret = 32;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

/** Days before the end of a secret in which operators are warned. */
export const endingDays = 30;

/** The form of every client secret. Secret scanners use it too. */
export const clientSecretPattern = /^fss_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/;

/**
 * Creates a client secret: a prefix that secret scanners recognise, 256 random bits, and a checksum.
 *
 * @param randomBytes function that returns the given number of cryptographically random bytes
 */
export function generateClientSecret(randomBytes: RandomBytes): string {
  const payload = prefix + Buffer.from(randomBytes(randomBytesPerSecret)).toString('base64url');
  return payload + checksum(payload);
}

/** True if the text is a well-formed client secret with a correct checksum. */
export function isClientSecret(text: string): boolean {
  if (!clientSecretPattern.test(text)) {
    return false;
  }
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/**
 * Returns the SHA-256 of the whole secret. A slow hash is not needed, because 256 random bits cannot be
 * guessed.
 */
export function digestClientSecret(clientSecret: string): Buffer {
  return createHash('sha256').update(clientSecret).digest();
}

/**
 * Creates a client secret.
 *
 * @param ends seconds until the secret ends. Undefined: the secret does not end
 * @returns the secret itself, which is shown once, and its stored form
 */
export function newClientSecret(
  now: Timestamp,
  randomBytes: RandomBytes,
  ends?: number,
): { readonly value: string; readonly stored: StoredSecret } {
  const value = generateClientSecret(randomBytes);
  return {
    value,
    stored: {
      secret_id: newIdentifier('secret', randomBytes),
      sha256: digestClientSecret(value).toString('hex'),
      created_at: now,
      ...(ends !== undefined && { ends_at: new Date(Date.parse(now) + ends * 1000).toISOString() }),
    },
  };
}

/**
 * Returns true if a live secret ends within {@link endingDays}.
 *
 * @param endsAt undefined if the secret does not end
 * @param now milliseconds since the epoch
 */
export function isEnding(endsAt: Timestamp | undefined, now: number): boolean {
  // Not a number without an end: both comparisons are then false.
  const left = Date.parse(endsAt ?? '') - now;
  return left > 0 && left <= endingDays * 86_400_000;
}

/** Returns the CRC-32 in base 62, most significant digit first, padded to six digits (62^6 > 2^32). */
function checksum(payload: string): string {
  let rest = crc32(payload);
  let text = '';
  for (let position = 0; position < checksumLength; position++) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}

/**
 * Computes the CRC-32 (RFC 1952 section 8) of ASCII text bit by bit, because a secret is short. The function
 * of `node:zlib` is faster, but loading that module would slow down a cold start.
 */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}
