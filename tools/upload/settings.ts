import { readFile } from 'node:fs/promises';
import { reasonOf } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { CommandError, UsageError } from '../terminal/errors.ts';

/** The flags of the upload command. */
export interface UploadFlags {
  readonly file?: string;
  readonly baseUrl?: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly allowEmpty?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Service to use, and credentials of the client. */
export interface Settings {
  /** Base URL of the service, without a final slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fileId: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the flags and the environment. Flags take precedence.
 *
 * @throws {UsageError} if a setting is missing or invalid
 */
export async function resolveSettings(flags: UploadFlags, env: Environment): Promise<Settings> {
  const required = (flag: string, given: string | undefined, variable: string): string => {
    const value = given ?? withoutLineBreak(env[variable] ?? '');
    if (value === '') {
      throw new UsageError(`Give ${flag} or set ${variable}.`);
    }
    return value;
  };
  const secret = await readSecretFile(flags.clientSecretFile);
  return {
    baseUrl: parseBaseUrl(required('--base-url', flags.baseUrl, 'FILE_SYNC_BASE_URL')),
    clientId: required('--client-id', flags.clientId, 'FILE_SYNC_CLIENT_ID'),
    clientSecret: required('--client-secret-file', secret, 'FILE_SYNC_CLIENT_SECRET'),
    fileId: required('--file', flags.file, 'FILE_SYNC_FILE_ID'),
  };
}

async function readSecretFile(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) {
    return undefined;
  }
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandError(`Cannot read the client secret from ${quoted(path)}: ${reasonOf(error)}.`);
  });
  const secret = withoutLineBreak(text);
  if (secret === '') {
    throw new CommandError(`There is no client secret in ${quoted(path)}: the file is empty.`);
  }
  return secret;
}

/** Editors and secret stores add a line break at the end. A client secret never contains one. */
function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/**
 * Parses a base URL and removes a final slash. The URL must use https or a loopback address, because the
 * secret is sent to it.
 *
 * @throws {UsageError}
 */
export function parseBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !isEncryptedOrLocal(url)) {
    throw new UsageError(
      `${quoted(value)} is not a base URL: it must start with https:// (http:// only for this machine).`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('A base URL must not have a user, a query or a fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

/** Returns true if data sent to the URL cannot be read on a network. */
export function isEncryptedOrLocal(url: URL): boolean {
  if (url.protocol === 'https:') {
    return true;
  }
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
