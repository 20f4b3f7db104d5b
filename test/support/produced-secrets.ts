import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The secrets of a test run, which must not be found in any other place than their own. */
export type SecretKind =
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

/** Names the file that collects what a test run produces, for its owner alone; unset when nobody will search. */
export const producedSecretsVariable = 'FILE_SYNC_PRODUCED_SECRETS';

/** Shorter values would be found everywhere. */
const shortest = 20;

/** Remembers a secret that the run produced, for the search at its end. */
export function recordProduced(kind: SecretKind, value: string | null | undefined): void {
  const path = process.env[producedSecretsVariable];
  if (path === undefined || !value || value.length < shortest) {
    return;
  }
  appendFileSync(path, `${JSON.stringify({ kind, value })}\n`, { mode: 0o600 });
}

/** Remembers what gives access in an upload URL. */
export function recordProducedUrl(text: string): void {
  const { searchParams } = new URL(text);
  recordProduced('URL signature', searchParams.get('X-Amz-Signature'));
  recordProduced('session token', searchParams.get('X-Amz-Security-Token'));
}

/** Every secret of the file, once. */
export async function readProduced(path: string): Promise<ProducedSecret[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = new Set(text.split('\n').filter((line) => line !== ''));
  return [...lines].map((line) => JSON.parse(line) as ProducedSecret);
}
