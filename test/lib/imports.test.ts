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

/** What tests of several folders may import. */
const sharedByTests = /^test\/(support|unit)\//;

const shown = ({ from, to }: Import) => `${from} imports ${to}`;

describe('imports', () => {
  it('of lambdas/ are never of the CDK, the command line or the local run', async () => {
    const imports = await importsIn('lambdas');
    expect(imports.length).toBeGreaterThan(20);
    const wrong = imports.filter(({ to }) =>
      /^(aws-cdk-lib|constructs|cdk-nag|lib|cli|local|bin|test)(\/|$)/.test(to),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of lib/ take from lambdas/ only the environment names and the constants of the contract', async () => {
    const imports = await importsIn('lib');
    const taken = new Set(imports.filter(({ to }) => to.startsWith('lambdas/')).map(({ to }) => to));
    expect([...taken].sort()).toEqual(['lambdas/shared/contract.ts', 'lambdas/shared/environment.ts']);
  });

  it('of lib/ are never of the command line, the local run or the tests', async () => {
    const wrong = (await importsIn('lib')).filter(({ to }) => /^(cli|local|bin|test)\//.test(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of test/ are never of another folder of it, but for test/support/', async () => {
    const imports = await importsIn('test');
    expect(imports.length).toBeGreaterThan(500);
    const ownFolder = ({ from, to }: Import) => from.split('/')[1] === to.split('/')[1];
    const wrong = imports.filter(
      (one) => one.to.startsWith('test/') && !ownFolder(one) && !sharedByTests.test(one.to),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of what is deployed or run are never of test/', async () => {
    const imports = (await Promise.all(['bin', 'cli', 'lambdas', 'lib', 'local'].map(importsIn))).flat();
    expect(imports.filter(({ to }) => to.startsWith('test/')).map(shown)).toEqual([]);
  });
});
