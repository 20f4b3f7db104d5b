import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packedManifest } from './manifest.ts';

/** Where the repository's package.json is while npm makes the package. */
const setAside = join('dist', 'package.json.repository');

/**
 * Puts the package's package.json in place of the repository's. npm packs what is in the project's folder, and has no
 * other way to give the package other dependencies than the repository.
 */
export async function putPackedManifest(root: string): Promise<void> {
  // An earlier `npm pack` that was stopped left its package.json there.
  await restoreManifest(root);
  const path = join(root, 'package.json');
  const packed = packedManifest(JSON.parse(await readFile(path, 'utf8')));
  await mkdir(join(root, 'dist'), { recursive: true });
  await rename(path, join(root, setAside));
  await writeFile(path, `${JSON.stringify(packed, null, 2)}\n`);
}

/** Puts the repository's package.json back. Does nothing if it is in its place. */
export async function restoreManifest(root: string): Promise<void> {
  await rename(join(root, setAside), join(root, 'package.json')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  });
}
