import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';

/** Creates a folder, which is removed at the end of the test that creates it, or of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
