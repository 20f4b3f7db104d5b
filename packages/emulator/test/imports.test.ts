import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** README.md, "How it is laid out". biome.json (noImportCycles) holds the same for files. */

const root = fileURLToPath(new URL('..', import.meta.url));

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('test/') && !file.startsWith('node_modules/'),
);

/** The folder of a file; for a file that lies in none, the root. */
const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : 'the root');

/** Which file imports which file of another folder, types included. */
const imports = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, path = '']) => ({ from, to: join(dirname(from), path) }))
    .filter(({ to }) => folderOf(to) !== folderOf(from)),
);

/** Leaves out folders that import nothing, and folders that nobody imports, until only circles are left. */
function circlesIn(edges: typeof imports): typeof imports {
  const imported = new Set(edges.map(({ to }) => folderOf(to)));
  const importing = new Set(edges.map(({ from }) => folderOf(from)));
  const left = edges.filter(({ from, to }) => imported.has(folderOf(from)) && importing.has(folderOf(to)));
  return left.length === edges.length ? edges : circlesIn(left);
}

test('imports between folders form no circle', () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(circlesIn(imports).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});
