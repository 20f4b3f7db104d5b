import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with its parents, for its owner alone. It makes level by level: Node's own recursive `mkdir` never ends
 * where the system refuses a folder in a parent that exists, as in /proc.
 *
 * @throws {Error} of the system, at the first level that cannot be made
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) {
    return;
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another run may have made the same parent in the meantime.
    if (!isFolder(path)) {
      throw error;
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
