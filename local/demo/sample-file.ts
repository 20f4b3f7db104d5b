import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of random bytes. */
export interface SampleFile {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly remove: () => Promise<void>;
}

const blockBytes = 1024 * 1024;

/** Makes a file in the system's folder for temporary files. */
export async function makeSampleFile(bytes: number): Promise<SampleFile> {
  const directory = await mkdtemp(join(tmpdir(), 'file-sync-demo-'));
  const path = join(directory, 'sample.bin');
  const hash = createHash('sha256');
  const handle = await open(path, 'wx', 0o600);
  try {
    for (let written = 0; written < bytes; written += blockBytes) {
      const block = randomBytes(Math.min(blockBytes, bytes - written));
      hash.update(block);
      await handle.write(block);
    }
  } finally {
    await handle.close();
  }
  const remove = () => rm(directory, { recursive: true, force: true });
  return { path, bytes, sha256: hash.digest('hex'), remove };
}
