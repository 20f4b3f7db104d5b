import { readFile } from 'node:fs/promises';
import type { Settings as ClientSettings } from '../../packages/client/service.ts';
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

/** Service to use, credentials of the client, and file of the service. */
export interface Settings extends ClientSettings {
  readonly fileId: string;
}

/**
 * Reads the settings from the flags and the environment. Flags take precedence.
 *
 * @throws {UsageError} if a setting is missing
 */
export async function resolveSettings(flags: UploadFlags, env: NodeJS.ProcessEnv): Promise<Settings> {
  const required = (flag: string, given: string | undefined, variable: string): string => {
    const value = given ?? withoutLineBreak(env[variable] ?? '');
    if (value === '') {
      throw new UsageError(`Give ${flag} or set ${variable}.`);
    }
    return value;
  };
  const secret = await readSecretFile(flags.clientSecretFile);
  return {
    baseUrl: required('--base-url', flags.baseUrl, 'FILE_SYNC_BASE_URL'),
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
