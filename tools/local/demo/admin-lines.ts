import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typedLine } from '../../terminal/help.ts';

const defaultStateDirectory = fileURLToPath(new URL('../../../.local', import.meta.url));

interface AdminSettings {
  readonly client: { readonly client_id: string };
  readonly fileId: string;
  /** Absolute path. */
  readonly stateDirectory: string;
}

/** Returns admin commands for the entities of the demonstration, as typed in the project's folder. */
export function adminLines({ client, fileId, stateDirectory }: AdminSettings): readonly string[] {
  const state = stateDirectory === defaultStateDirectory ? [] : ['--state', stateDirectory];
  return [
    ['client', 'show', client.client_id],
    ['file', 'show', fileId],
    ['upload', 'list', '--file', fileId],
    ['file', 'download', fileId, '--output', join(tmpdir(), 'file-sync-sample.bin'), '--force'],
  ].map((parameters) => typedLine('npx file-sync-admin', ['--local', ...state, ...parameters]));
}
