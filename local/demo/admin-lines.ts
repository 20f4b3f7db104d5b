import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typedLine } from '../../cli/terminal/help.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

export interface AdminSettings {
  readonly client: { readonly client_id: string };
  readonly fileId: string;
  /** Absolute path. */
  readonly stateDirectory: string;
}

/** Admin commands on the things that the demonstration made, as they are typed in the project's folder. */
export function adminLines({ client, fileId, stateDirectory }: AdminSettings): readonly string[] {
  const run = ['--local', ...stateParameters(stateDirectory)];
  return [
    ['client', 'show', client.client_id],
    ['file', 'show', fileId],
    ['upload', 'list', '--file', fileId],
    ['file', 'download', fileId, '--output', join(tmpdir(), 'file-sync-sample.bin'), '--force'],
  ].map((parameters) => typedLine('npm run -s admin --', [...run, ...parameters]));
}

/** Without --state, the admin command looks in `.local` of the project's folder. */
function stateParameters(stateDirectory: string): readonly string[] {
  if (stateDirectory === join(projectRoot, '.local')) {
    return [];
  }
  const isInside = stateDirectory.startsWith(projectRoot.endsWith(sep) ? projectRoot : projectRoot + sep);
  return ['--state', isInside ? stateDirectory.slice(projectRoot.length) : stateDirectory];
}
