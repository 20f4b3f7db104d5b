import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Import rules that biome.json (noRestrictedImports, noImportCycles) cannot express. */

const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).split('\n');

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsIn(folder: string): readonly Import[] {
  const files = sources.filter((file) => file.startsWith(folder));
  return files.flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, to = '']) => ({
      from,
      to: to.startsWith('.') ? join(dirname(from), to) : to,
    })),
  );
}

const shown = ({ from, to }: Import) => `${from} imports ${to}`;

test('the tests of the emulator import the emulator alone', () => {
  const imports = importsIn('packages/emulator/').filter(({ to }) => /\.tsx?$/.test(to));
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter(({ to }) => !to.startsWith('packages/emulator/')).map(shown)).toEqual([]);
});

/** Removes folders without imports, and folders that are not imported, until only cycles are left. */
function cyclesIn(edges: readonly Import[]): readonly Import[] {
  const imported = new Set(edges.map(({ to }) => dirname(to)));
  const importing = new Set(edges.map(({ from }) => dirname(from)));
  const left = edges.filter(({ from, to }) => imported.has(dirname(from)) && importing.has(dirname(to)));
  return left.length === edges.length ? edges : cyclesIn(left);
}

test('imports between the folders of the emulator are not circular', () => {
  const isSource = (file: string) => /^packages\/emulator\/(?!test\/)/.test(file);
  const imports = importsIn('packages/emulator/')
    .filter(({ from, to }) => isSource(from) && isSource(to))
    .filter(({ from, to }) => dirname(from) !== dirname(to));
  expect(imports.length).toBeGreaterThan(100);
  expect(cyclesIn(imports).map(shown)).toEqual([]);
});

test('storage/ imports only types of the SDK', () => {
  const wrong = sources
    .filter((file) => file.startsWith('storage/'))
    .filter((file) => /^import (?!type )[^;]*'@aws-sdk[^;]*;/m.test(readFileSync(file, 'utf8')));
  expect(wrong).toEqual([]);
});
