import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVitest } from 'vitest/node';
import { FailedFiles } from './failed-files.ts';

const files = {
  'load.test.js': `throw new Error('no load'); test('one', () => {});`,
  'group.test.js': `describe('group', () => { throw new Error('no group'); });`,
  'hook.test.js': `beforeAll(() => { throw new Error('no hook'); }); test('two', () => {});`,
  'inner-hook.test.js': `describe('group', () => {
    afterAll(() => { throw new Error('no inner hook'); });
    test('three', () => {});
  });`,
  'fine.test.js': `test('four', () => {});`,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-mutation-'));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a test file that cannot be loaded, or whose hooks fail, has a test that failed', async () => {
  const { exitCode } = process;
  const vitest = await createVitest('test', {
    root: folder,
    config: false,
    globals: true,
    watch: false,
    reporters: [new FailedFiles()],
  });
  const failed: Record<string, unknown[]> = {};
  try {
    await vitest.start();
    for (const file of vitest.state.getFiles()) {
      const tests = file.tasks.filter(({ type, result }) => type === 'test' && result?.state === 'fail');
      failed[file.name] = tests.flatMap(({ result }) => (result?.errors ?? []).map(({ message }) => message));
    }
  } finally {
    await vitest.close();
    process.exitCode = exitCode;
  }
  expect(failed).toEqual({
    'load.test.js': ['no load'],
    'group.test.js': ['no group'],
    'hook.test.js': ['no hook'],
    'inner-hook.test.js': ['no inner hook'],
    'fine.test.js': [],
  });
});
