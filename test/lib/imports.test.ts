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

const isSource = (path: string) => /\.tsx?$/.test(path);

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(projectRoot, folder), { recursive: true });
  return entries.filter(isSource).map((entry) => join(folder, entry));
}

async function importsIn(folder: string): Promise<readonly Import[]> {
  const files = await filesIn(folder);
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
const sharedByTests = /^test\/(emulator\/)?support\//;

const shown = ({ from, to }: Import) => `${from} imports ${to}`;

/** The tests that `npm run verify` repeats on a deployment, and what they speak HTTP with. */
const testsOfVerify = [
  'test/contract/support/http.ts',
  'test/contract/support/upload-url.ts',
  'test/support',
  'test/upload-url',
];

/** Folders of the product, and what each may import besides itself and packages. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  storage: ['contract'],
  lambdas: ['contract', 'storage'],
  cli: ['contract', 'storage'],
  // The environment names, which the stack sets and the functions read, and the outputs that the command line needs.
  lib: ['contract', 'storage', 'lambdas/shared/environment.ts', 'cli/deployment/stack-outputs.ts'],
  emulator: [],
  console: ['contract', 'storage', 'cli'],
  local: ['contract', 'storage', 'cli', 'console', 'lib', 'emulator'],
  bin: ['cli', 'console', 'lib', 'local'],
  // A program for operators that is made of tests: the contract suite's requests, the rows, the table of facts.
  verify: ['contract', 'storage', 'cli', ...testsOfVerify],
};

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

describe('imports', () => {
  it.each(Object.entries(allowed))('of %s/ are of itself, packages, and %j alone', async (folder, others) => {
    const imports = await importsIn(folder);
    expect(imports.length).toBeGreaterThan(0);
    const ours = imports.filter(({ to }) => /^[\w-]+\//.test(to) && isSource(to));
    const wrong = ours.filter(({ to }) => ![folder, ...others].some((place) => isWithin(to, place)));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of the functions, the contract and what is stored are never of the CDK', async () => {
    const imports = (await Promise.all(['contract', 'storage', 'lambdas'].map(importsIn))).flat();
    const wrong = imports.filter(({ to }) => /^(aws-cdk-lib|constructs|cdk-nag)(\/|$)/.test(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of the operations and deployments are never of a terminal, so that a console can use them', async () => {
    const imports = (await Promise.all(['cli/operations', 'cli/deployment'].map(importsIn))).flat();
    const terminal = ['commander', 'cli/terminal', 'cli/admin', 'cli/upload'];
    const wrong = imports.filter(({ to }) => terminal.some((place) => isWithin(to, place)));
    expect(imports.length).toBeGreaterThan(0);
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of storage/ take no code of the SDK, so that a bundle and the command line load only what they use', async () => {
    const values = [];
    for (const file of await filesIn('storage')) {
      const source = await readFile(join(projectRoot, file), 'utf8');
      values.push(...source.matchAll(/^import (?!type )[^;]*'@aws-sdk[^;]*;/gm));
    }
    expect(values.map(([statement]) => statement)).toEqual([]);
  });

  it('of test/ are never of another folder of it, but for test/support/ and test/emulator/support/', async () => {
    const imports = await importsIn('test');
    expect(imports.length).toBeGreaterThan(500);
    const ownFolder = ({ from, to }: Import) => from.split('/')[1] === to.split('/')[1];
    const wrong = imports.filter(
      (one) => one.to.startsWith('test/') && !ownFolder(one) && !sharedByTests.test(one.to),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('of what is deployed or run are never of test/', async () => {
    const imports = (
      await Promise.all(['bin', 'cli', 'console', 'emulator', 'lambdas', 'lib', 'local'].map(importsIn))
    ).flat();
    expect(imports.filter(({ to }) => to.startsWith('test/')).map(shown)).toEqual([]);
  });

  it('of test/emulator/ are of the emulator alone', async () => {
    const imports = await importsIn('test/emulator');
    expect(imports.length).toBeGreaterThan(50);
    const wrong = imports.filter(({ to }) => isSource(to) && !/^(test\/)?emulator\//.test(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  const sources = [
    'bench',
    'bin',
    'cli',
    'console',
    'contract',
    'emulator',
    'lambdas',
    'lib',
    'local',
    'scripts',
    'storage',
    'verify',
  ];

  it('between files make no circle', async () => {
    const imports = (await Promise.all([...sources, 'test'].map(importsIn))).flat();
    expect(imports.length).toBeGreaterThan(1500);
    expect(circlesIn(imports)).toEqual([]);
  });

  it('between the folders of what is not a test make no circle', async () => {
    const folderOf = (path: string) => dirname(path).split(sep).join('/');
    const imports = (await Promise.all(sources.map(importsIn))).flat();
    const between = imports
      .filter(({ to }) => isSource(to))
      .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
      .filter(({ from, to }) => from !== to);
    expect(between.length).toBeGreaterThan(200);
    expect(circlesIn(between)).toEqual([]);
  });
});

/** What leads back to itself. */
function circlesIn(imports: readonly Import[]): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    targets.set(from, (targets.get(from) ?? new Set()).add(to));
  }
  const leadsBack = (start: string): boolean => {
    const reached = new Set<string>();
    const waiting = [...(targets.get(start) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!reached.has(next)) {
        reached.add(next);
        waiting.push(...(targets.get(next) ?? []));
      }
    }
    return reached.has(start);
  };
  return [...targets.keys()].filter(leadsBack);
}
