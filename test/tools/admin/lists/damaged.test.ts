import { describe, expect, test } from 'vitest';
import type { Item } from '../../../../storage/attributes.ts';
import { startAws } from '../../../support/aws.ts';
import { admin } from '../../../support/run-admin.ts';
import { clientItem, fileItem, uploadIdOf, uploadItem } from '../items.ts';

/** More sound items of each kind than three reads give. */
const many = 230;
const hours = Array.from({ length: many }, (_, index) => index);
const without = ({ ...item }: Item, name: string): Item => {
  delete item[name];
  return item;
};

/** What is wrong, and the attribute at fault. The items stand among the sound ones. */
const clients: Readonly<Record<string, Item>> = {
  'name.S': { ...clientItem('number', 40), name: { N: '1' } },
  scopes: without(clientItem('missing', 90), 'scopes'),
  status: clientItem('unknown', 110, { status: 'asleep' }),
  delete_after: { ...clientItem('too-late', 150), delete_after: { N: '9'.repeat(30) } },
  'secrets.L': { ...clientItem('empty', 200), secrets: { S: '' } },
};
const files: Readonly<Record<string, Item>> = {
  'name.S': { ...fileItem('number', 40), name: { N: '1' } },
  sync_enabled: without(fileItem('missing', 90), 'sync_enabled'),
  updated_at: fileItem('no-time', 110, { updated_at: 'yesterday' }),
  delete_after: { ...fileItem('too-late', 150), delete_after: { N: '9'.repeat(30) } },
  'content.M.upload_id': { ...fileItem('empty', 200), content: { M: {} } },
};
const uploads: Readonly<Record<string, Item>> = {
  'etag.S': { ...uploadItem(240, { file_id: 'file_0' }), etag: { N: '1' } },
  version_id: without(uploadItem(241), 'version_id'),
  state: uploadItem(242, { state: 'asleep' }),
  size: { ...uploadItem(243), size: { N: '9'.repeat(30) } },
  expires_at: uploadItem(244, { expires_at: '' }),
};

const aws = await startAws({
  clients: [...hours.map((hour) => clientItem(`client_${hour}`, hour)), ...Object.values(clients)],
  files: [...hours.map((hour) => fileItem(`file_${hour}`, hour)), ...Object.values(files)],
  uploads: [...hours.map((hour) => uploadItem(hour, { file_id: 'file_0' })), ...Object.values(uploads)],
});

const run = (words: string) => admin(aws.deployment, ['--local', ...words.split(' ')]);

const kinds = [
  { noun: 'client', key: 'client_id', damaged: clients },
  { noun: 'file', key: 'file_id', damaged: files },
  { noun: 'upload', key: 'upload_id', damaged: uploads },
] as const;

describe.each(kinds)('damaged items of $noun list', ({ noun, key, damaged }) => {
  const lines = Object.entries(damaged).map(([place, item]) => [
    `aws dynamodb get-item --table-name test-${noun}s --key '{"${key}":{"S":"${item[key]?.S}"}}' --endpoint-url http`,
    place,
  ]);

  test.for(lines)('are named with what is wrong: %s, %s', async ([command = '', place = ''], { expect }) => {
    const { code, stderr } = await run(`${noun} list --json`);
    const wrong = stderr.split(command)[0]?.trimEnd().split('\n').at(-1);
    expect([code, wrong]).toEqual([1, expect.stringContaining(place)]);
  });

  test('leave all other rows, once and in order, and JSON whole', async () => {
    const ids = ((await run(`${noun} list --json`)).json().data as Record<string, string>[]).map(
      (row) => row[key],
    );
    expect(ids).toEqual(hours.map((hour) => (noun === 'upload' ? uploadIdOf(hour) : `${noun}_${hour}`)));
  });

  test('are named when they are asked for', async () => {
    const [item] = Object.values(damaged);
    const shown = await run(`${noun} show ${item?.[key]?.S}`);
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining(lines[0]?.[0] ?? '') });
  });
});

test.for(['search Nightly', 'client list --name client_22', 'organisation list'])(
  '%s has its rows, and fails',
  async (words, { expect }) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/client_22|acme/),
      stderr: expect.stringContaining('{"client_id":{"S":"number"}}'),
    });
  },
);

test('organisation delete deletes what it can, and names what is left', async () => {
  const deleted = await run('organisation delete acme --yes');
  expect(deleted.code).toBe(1);
  expect(deleted.stdout).toContain(`${many} clients and ${many} files were deleted, with ${many} uploads.`);
  expect(deleted.stderr).toMatch(/Damaged items: 15\.(.*get-item){10}.*\nCorrect/s);
}, 60_000);
