import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appVariable } from '../../tools/local/start/synthesize.ts';
import { sharedFolderVariable } from './programs.ts';

/** Lets all local runs of one test run share what is synthesized. Nothing is synthesized before a test starts one. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of the runner sets up for itself; the first one does it for all.
  if (process.env[sharedFolderVariable] !== undefined) {
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-assemblies-'));
  process.env[sharedFolderVariable] = folder;
  process.env[appVariable] = fileURLToPath(new URL('./cached-app.mjs', import.meta.url));
  return () => rm(folder, { recursive: true, force: true });
}
