import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { admin } from '../../support/run-admin.ts';

let aws: FakeAws;
let folder: string;

beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-download-test-'));
  return () => rm(folder, { recursive: true, force: true });
});

const run = (...parameters: readonly string[]) => admin(aws.deployment, ['--local', ...parameters]);
const create = (...flags: readonly string[]) =>
  run('file', 'create', '--organisation', 'acme', '--name', 'orders.csv', '--json', ...flags);

describe('file create', () => {
  test('makes a file with a new id, not enabled', async () => {
    expect((await create()).json()).toMatchObject({
      file_id: expect.stringMatching(/^file_[0-9a-z]{26}$/),
      organisation_id: 'acme',
      name: 'orders.csv',
      sync_enabled: false,
    });
  });

  test('refuses an id that exists, of whichever organisation, and changes nothing', async () => {
    await create('--id', 'taken', '--sync-enabled');
    const again = await run('file', 'create', '--organisation', 'other', '--name', 'n', '--id', 'taken');
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'error: A file "taken" already exists.\n' });
    expect((await run('file', 'show', 'taken', '--json')).json()).toMatchObject({
      organisation_id: 'acme',
      sync_enabled: true,
    });
  });
});

test('file list gives the files of one organisation, and none for one without', async () => {
  await create('--id', 'listed');
  const data = (await run('file', 'list', '--organisation', 'acme', '--json')).json().data as {
    file_id: string;
  }[];
  expect(data.map((file) => file.file_id)).toContain('listed');
  expect((await run('file', 'list', '--organisation', 'nobody', '--json')).json()).toEqual({ data: [] });
});

test('enable-sync and disable-sync change the setting, and say so when there is nothing to change', async () => {
  await create('--id', 'switched');
  expect((await run('file', 'enable-sync', 'switched', '--json')).json()).toMatchObject({
    sync_enabled: true,
  });
  const again = await run('file', 'enable-sync', 'switched', '--json');
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('was already enabled') });
  expect((await run('file', 'disable-sync', 'switched', '--json')).json()).toMatchObject({
    sync_enabled: false,
  });
  expect((await run('file', 'disable-sync', 'switched')).stderr).toContain('was not enabled');
});

test.each(['show', 'enable-sync', 'disable-sync', 'download'])(
  'file %s of an unknown id fails',
  async (command) => {
    const flags = command === 'download' ? ['--output', join(folder, 'out')] : [];
    for (const id of ['unknown', 'a/b']) {
      expect(await run('file', command, id, ...flags)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `error: There is no file "${id}".\n`,
      });
    }
  },
);

describe('file download', () => {
  const body = 'the content';
  const md5 = createHash('md5').update(body).digest('hex');

  async function fileWithContent(content: { readonly size: number; readonly etag: string }): Promise<void> {
    await aws.putItem('files', {
      file_id: { S: 'full' },
      organisation_id: { S: 'acme' },
      name: { S: 'full.csv' },
      sync_enabled: { BOOL: true },
      created_at: { S: '2026-01-01T00:00:00.000Z' },
      updated_at: { S: '2026-01-01T00:00:00.000Z' },
      content: {
        M: {
          upload_id: { S: 'u1' },
          key: { S: 'uploads/u1' },
          version_id: { S: 'v1' },
          size: { N: String(content.size) },
          etag: { S: content.etag },
          completed_at: { S: '2026-01-01T00:00:01.000Z' },
        },
      },
    });
    aws.objects.set('uploads/u1', { body });
  }

  test('writes the verified content, and nothing else beside it', async () => {
    await fileWithContent({ size: body.length, etag: md5 });
    const output = join(folder, 'out.csv');
    const downloaded = await run('file', 'download', 'full', '--output', output, '--json');
    expect(downloaded.json()).toMatchObject({
      file_id: 'full',
      upload_id: 'u1',
      output,
      size: body.length,
      etag: md5,
    });
    expect(await readFile(output, 'utf8')).toBe(body);
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  test.each([
    ['another ETag', { size: body.length, etag: '0'.repeat(32) }, /have MD5/],
    ['another size', { size: body.length + 1, etag: md5 }, /of \d+ bytes arrived/],
  ])('with %s writes nothing', async (_, content, text) => {
    await fileWithContent(content);
    const failed = await run('file', 'download', 'full', '--output', join(folder, 'out.csv'));
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(text) });
    expect(await readdir(folder)).toEqual([]);
  });

  test('replaces an existing file with --force only', async () => {
    await fileWithContent({ size: body.length, etag: md5 });
    const output = join(folder, 'out.csv');
    await writeFile(output, 'mine');
    const refused = await run('file', 'download', 'full', '--output', output);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --force') });
    expect(await readFile(output, 'utf8')).toBe('mine');
    expect(await run('file', 'download', 'full', '--output', output, '--force')).toMatchObject({ code: 0 });
    expect(await readFile(output, 'utf8')).toBe(body);
  });

  test('says so when there is no content, or no folder to write to', async () => {
    await create('--id', 'empty');
    const empty = await run('file', 'download', 'empty', '--output', join(folder, 'out'));
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('has no content yet') });
    const nowhere = await run('file', 'download', 'empty', '--output', join(folder, 'no', 'out'));
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no folder') });
  });
});
