import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** README.md, "Layout". biome.json (noImportCycles) checks the same for files. */

const root = fileURLToPath(new URL('..', import.meta.url));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('test/') && !file.startsWith('node_modules/'),
);

/** Returns the folder of a file; the root for a file outside all folders. */
const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : 'the root');

/** Imports of files in other folders, types included. */
const imports = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, path = '']) => ({ from, to: join(dirname(from), path) }))
    .filter(({ to }) => folderOf(to) !== folderOf(from)),
);

/** Removes folders without imports, and folders that are not imported, until only cycles are left. */
function cyclesIn(edges: typeof imports): typeof imports {
  const imported = new Set(edges.map(({ to }) => folderOf(to)));
  const importing = new Set(edges.map(({ from }) => folderOf(from)));
  const left = edges.filter(({ from, to }) => imported.has(folderOf(from)) && importing.has(folderOf(to)));
  return left.length === edges.length ? edges : cyclesIn(left);
}

test('imports between folders are not circular', () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(cyclesIn(imports).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});
