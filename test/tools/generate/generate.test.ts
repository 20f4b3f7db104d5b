import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { documents } from '../../../tools/generate/documents.ts';
import { type GeneratedDocument, generate, runGenerate } from '../../../tools/generate/generate.ts';

const project = new URL('../../../', import.meta.url);

// The page about the upload URL is compared by test/local/upload-url-table.test.ts, which has its answers anyway.
const fast = documents.filter(({ path }) => path !== 'docs/generated/upload-url.md');

test('one page alone is compared elsewhere', () => {
  expect(documents.length - fast.length).toBe(1);
});

test.each(fast)('$path is current', async (document) => {
  expect(await generate([document], { root: project, check: true, report: () => undefined })).toEqual([]);
});

test('the table of settings needs its markers', async () => {
  const readme = documents.find(({ path }) => path === 'README.md');
  expect(() => readme?.content('# A page without a table\n')).toThrow(
    'the marker <!-- settings:start --> is missing',
  );
});

describe('generate', () => {
  let folder: string;
  let lines: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-generate-test-'));
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (list: readonly GeneratedDocument[], { check = false } = {}) =>
    generate(list, {
      root: pathToFileURL(`${folder}/`),
      check,
      report: (line) => lines.push(line),
    });
  const text = (path: string) => readFile(join(folder, path), 'utf8');

  const page = { path: 'new/page.md', content: () => 'page\n' };

  it('writes a document in a folder that is not there yet, and leaves a current one alone', async () => {
    expect(await run([page])).toEqual([]);
    expect(await text('new/page.md')).toBe('page\n');
    expect(await run([page])).toEqual([]);
    expect(lines).toEqual(['new/page.md: written', 'new/page.md: current']);
  });

  it('gives a document that is generated in part the text that the file has', async () => {
    await writeFile(join(folder, 'part.md'), 'kept');
    expect(await run([{ path: 'part.md', content: (current) => `${current} and made` }])).toEqual([]);
    expect(await text('part.md')).toBe('kept and made');
  });

  it('with check writes nothing, and names each document that is stale or missing', async () => {
    await writeFile(join(folder, 'old.md'), 'old');
    const old = { path: 'old.md', content: () => 'new' };
    expect(await run([old, page], { check: true })).toEqual([
      'old.md is stale: run npm run generate',
      'new/page.md is stale: run npm run generate',
    ]);
    expect(lines).toEqual(['old.md: stale', 'new/page.md: stale']);
    expect(await text('old.md')).toBe('old');
    await expect(text('new/page.md')).rejects.toThrow('ENOENT');
  });

  it('as a command exits 1 with --check when a document is stale, and 0 when all are current', async () => {
    const errors: string[] = [];
    const command = (...parameters: string[]) =>
      runGenerate([page], parameters, {
        root: pathToFileURL(`${folder}/`),
        stdout: (line) => lines.push(line),
        stderr: (line) => errors.push(line),
      });
    expect(await command('--check')).toBe(1);
    expect(errors).toEqual(['new/page.md is stale: run npm run generate']);
    expect(await command()).toBe(0);
    expect(await command('--check')).toBe(0);
    expect(lines).toEqual(['new/page.md: stale', 'new/page.md: written', 'new/page.md: current']);
    await expect(command('--chekc')).rejects.toThrow('--chekc');
  });

  it('says why a document cannot be made, and makes the others', async () => {
    const broken = { path: 'broken.md', content: () => Promise.reject(new Error('no source')) };
    expect(await run([broken, page])).toEqual(['broken.md cannot be made: no source']);
    expect(lines).toEqual(['broken.md: failed', 'new/page.md: written']);
  });
});
