import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Copies the files of the project that git knows or would add. The copy shares `node_modules` with the project. */
export async function copyProject(root: string, folder: string): Promise<void> {
  for (const file of await filesOf(root)) {
    const target = join(folder, file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(root, file), target);
  }
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
}

/** A copy of a copy. */
export async function copyAgain(copy: string, folder: string): Promise<void> {
  await cp(copy, folder, { recursive: true, verbatimSymlinks: true });
}

async function filesOf(root: string): Promise<readonly string[]> {
  const known = await list(root, ['--cached', '--others', '--exclude-standard']);
  const deleted = new Set(await list(root, ['--deleted']));
  return [...new Set(known)].filter((file) => file !== 'node_modules' && !deleted.has(file));
}

async function list(root: string, options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', ...options], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split('\0').filter((file) => file !== '');
}
