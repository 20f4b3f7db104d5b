import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Secrets of a test run, which must not occur outside of their own files. */
type SecretKind =
  | 'client secret'
  | 'access token'
  | 'private key'
  | 'URL signature'
  | 'session token'
  | 'AWS secret key';

export interface ProducedSecret {
  readonly kind: SecretKind;
  readonly value: string;
}

/**
 * Variable with the path of the file that collects the secrets of a test run, readable only by its owner;
 * unset if no search follows.
 */
export const producedSecretsVariable = 'FILE_SYNC_PRODUCED_SECRETS';

/** Shorter values would occur everywhere. */
const shortest = 20;

/** Records a secret of the run, for the search at its end. */
export function recordProduced(kind: SecretKind, value: string | null | undefined): void {
  const path = process.env[producedSecretsVariable];
  if (path === undefined || !value || value.length < shortest) {
    return;
  }
  appendFileSync(path, `${JSON.stringify({ kind, value })}\n`, { mode: 0o600 });
}

/** Records the parts of an upload URL that grant access. */
export function recordProducedUrl(text: string): void {
  const { searchParams } = new URL(text);
  recordProduced('URL signature', searchParams.get('X-Amz-Signature'));
  recordProduced('session token', searchParams.get('X-Amz-Security-Token'));
}

/** Reads every secret of the file, without duplicates. */
export async function readProduced(path: string): Promise<ProducedSecret[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = new Set(text.split('\n').filter((line) => line !== ''));
  return [...lines].map((line) => JSON.parse(line) as ProducedSecret);
}
