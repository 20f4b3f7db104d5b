import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** The README's table of folders is the first map that a newcomer gets. */

const root = new URL('../../', import.meta.url);

test('the README describes every top-level folder and no other', async () => {
  expect((await foldersOfReadme()).toSorted()).toEqual((await topLevelFolders()).toSorted());
});

test('the README describes each folder once', async () => {
  const folders = await foldersOfReadme();
  expect(folders.filter((folder, index) => folders.indexOf(folder) !== index)).toEqual([]);
});

test('the README says for each folder which existing file or page to start with', async () => {
  const links = (await rowsOfReadme()).map(([, , start = '']) => start);
  const files = links.map((start) => /`([^`]+)`/.exec(start)?.[1] ?? /\]\(([^)#]+)/.exec(start)?.[1] ?? '');
  const missing = await Promise.all(files.map(async (file) => ((await exists(file)) ? [] : [file])));
  expect(missing.flat()).toEqual([]);
});

/** Cells of each row: folder, what is in it, what to start with. */
async function rowsOfReadme(): Promise<readonly (readonly string[])[]> {
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const table = /^\| Folder \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(readme)?.[1] ?? '';
  const rows = table.trimEnd().split('\n');
  return rows.map((row) => row.split('|').map((cell) => cell.trim())).map((cells) => cells.slice(1, -1));
}

async function foldersOfReadme(): Promise<readonly string[]> {
  return (await rowsOfReadme()).map(([folder = '']) => /^`([^/`]+)\/`$/.exec(folder)?.[1] ?? folder);
}

/** Those that belong to the project: no dot-folders, and nothing that git ignores. */
async function topLevelFolders(): Promise<readonly string[]> {
  const ignored = (await readFile(new URL('.gitignore', root), 'utf8')).split('\n');
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !ignored.includes(`${name}/`));
}

async function exists(path: string): Promise<boolean> {
  if (path === '') {
    return false;
  }
  return readFile(new URL(path, root)).then(
    () => true,
    () => false,
  );
}
