import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isClientSecret } from '../../storage/client-secret.ts';
import type { ProducedSecret } from './produced-secrets.ts';

/** Written data: a file, or the output of a command. */
export interface Written {
  readonly name: string;
  readonly bytes: Buffer;
}

type SearchReport = ReturnType<typeof searchForSecrets>;

/**
 * Searches for every secret, in plain text and in the encodings in which it is sent. Also searches for any
 * text in the format of a secret, and so finds unrecorded secrets.
 *
 * @returns location and kind of each leaked secret, never the secret itself, and the size of the search
 */
export function searchForSecrets(secrets: readonly ProducedSecret[], written: readonly Written[]) {
  const needles = secrets.flatMap(({ kind, value }) => formsOf(value).map((form) => ({ kind, form })));
  const leaks = written.flatMap(({ name, bytes }) => {
    const found = needles.filter(({ form }) => bytes.includes(form)).map(({ kind }) => kind);
    const shapes = shapesIn(bytes.toString('latin1'));
    return [...new Set([...found, ...shapes])].map((what) => ({ name, what }));
  });
  const bytes = written.reduce((sum, one) => sum + one.bytes.length, 0);
  return { leaks, secrets: secrets.length, files: written.length, bytes };
}

/**
 * Returns a secret as text, percent-encoded, and in base64, like the headers and the body of an event contain
 * it.
 */
function formsOf(value: string): string[] {
  const base64 = [0, 1, 2].map((offset) => base64At(offset, value));
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([value, encodeURIComponent(value), ...base64, ...base64url])];
}

/**
 * Returns the value in base64 after `offset` bytes (modulo 3): after a client id in Basic credentials, for
 * example, or within a form. The first and last characters are omitted, because they also depend on the bytes
 * before and after the value.
 */
function base64At(offset: number, value: string): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  const first = Math.ceil((offset * 8) / 6);
  const whole = Math.floor((bytes.length * 8) / 6);
  return bytes.toString('base64').slice(first, whole);
}

const shapes: readonly (readonly [string, RegExp])[] = [
  ['shape of a token', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/],
  ['shape of a URL signature', /X-Amz-Signature(?:=|%3D|":\s*")[0-9a-f]{64}/i],
  ['shape of a session token', /X-Amz-Security-Token(?:=|%3D|":\s*")[\w%./+-]{20,}/i],
  ['shape of a signed AWS request', /AWS4-HMAC-SHA256 Credential=[^,]+,[^,]+, ?Signature=[0-9a-f]{64}/],
  ['shape of a private JWK', /\\?"d\\?"\s*:\s*\\?"[\w-]{40,}/],
  ['shape of a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}/],
  ['shape of Basic credentials', /\bbasic +[A-Za-z0-9+/]{60,}={0,2}/i],
];

function shapesIn(text: string): string[] {
  const found = shapes.filter(([, shape]) => shape.test(text)).map(([what]) => what);
  const secretLike = text.match(/fss_[A-Za-z0-9_-]{49}/g) ?? [];
  return secretLike.some(isClientSecret) ? [...found, 'shape of a client secret'] : found;
}

/** Reads every file below a folder. */
export async function readWritten(folder: string): Promise<Written[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({ name: relative(folder, path), bytes: await readFile(path) })),
  );
}

export function describeSearch({ secrets, files, bytes, leaks }: SearchReport): string {
  const where = leaks.map(({ name, what }) => `\n  ${what} in ${name}`).join('');
  return `searched for ${secrets} secrets in ${files} files and outputs, ${bytes} bytes: ${leaks.length} found${where}`;
}
