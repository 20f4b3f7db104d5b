import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appVariable } from '../../tools/local/start/synthesize.ts';

/** Variable with the folder of one run of the test runner, for assemblies of `cached-app.mjs`. */
export const sharedFolderVariable = 'FILE_SYNC_ASSEMBLIES';

/** Shares synthesized assemblies between all local runs of one test run. The first local run synthesizes. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of the runner calls this setup; the first call prepares all projects.
  if (process.env[sharedFolderVariable] !== undefined) {
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-assemblies-'));
  process.env[sharedFolderVariable] = folder;
  process.env[appVariable] = fileURLToPath(new URL('./cached-app.mjs', import.meta.url));
  return () => rm(folder, { recursive: true, force: true });
}
