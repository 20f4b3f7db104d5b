import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

interface Import {
  readonly from: string;
  /** A package, or a path from the project's root. */
  readonly to: string;
}

async function importsIn(folder: string): Promise<readonly Import[]> {
  const entries = await readdir(join(projectRoot, folder), { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(folder, entry));
  return (await Promise.all(files.map(importsOf))).flat();
}

async function importsOf(file: string): Promise<readonly Import[]> {
  const source = await readFile(join(projectRoot, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith('.')
      ? relative(projectRoot, join(projectRoot, dirname(file), specifier))
          .split(sep)
          .join('/')
      : specifier,
  }));
}

/** Whether an import is of a file and not of a package. */
const isPath = (to: string) => to.endsWith('.ts');

const shown = ({ from, to }: Import) => `${from} imports ${to}`;

describe('imports', () => {
  it('of lambdas/ are never of the CDK, the command line or the local run', async () => {
    const imports = await importsIn('lambdas');
    expect(imports.length).toBeGreaterThan(20);
    const wrong = imports.filter(({ to }) =>
      /^(aws-cdk-lib|constructs|cdk-nag|lib|cli|local|emulator|bin|test)(\/|$)/.test(to),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of lib/ take from lambdas/ only the environment names and the constants of the contract', async () => {
    const imports = await importsIn('lib');
    const taken = new Set(imports.filter(({ to }) => to.startsWith('lambdas/')).map(({ to }) => to));
    expect([...taken].sort()).toEqual(['lambdas/shared/contract.ts', 'lambdas/shared/environment.ts']);
  });

  it('of lib/ are never of the command line, the local run or the tests', async () => {
    const wrong = (await importsIn('lib')).filter(({ to }) => /^(cli|local|emulator|bin|test)\//.test(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of emulator/ are of nothing of this product', async () => {
    const imports = await importsIn('emulator');
    expect(imports.length).toBeGreaterThan(200);
    const own = imports.filter(({ to }) => to.startsWith('emulator/'));
    const others = imports.filter(({ to }) => !to.startsWith('emulator/') && isPath(to));
    expect(own.length).toBeGreaterThan(200);
    expect(others.map(shown)).toEqual([]);
  });

  it('of test/emulator/ are of the emulator alone', async () => {
    const imports = await importsIn('test/emulator');
    expect(imports.length).toBeGreaterThan(50);
    const wrong = imports.filter(({ to }) => isPath(to) && !/^(test\/)?emulator\//.test(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('between the folders of emulator/ make no circle', async () => {
    const folderOf = (path: string) => path.split('/').slice(0, -1).join('/');
    const between = (await importsIn('emulator'))
      .filter(({ to }) => to.startsWith('emulator/'))
      .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
      .filter(({ from, to }) => from !== to);
    const leadsTo = (start: string): Set<string> => {
      const reached = new Set<string>();
      const visit = (folder: string) => {
        for (const { to } of between.filter(({ from }) => from === folder)) {
          if (!reached.has(to)) {
            reached.add(to);
            visit(to);
          }
        }
      };
      visit(start);
      return reached;
    };
    const folders = [...new Set(between.map(({ from }) => from))];
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((folder) => leadsTo(folder).has(folder))).toEqual([]);
  });
});
