import { readdir, readFile } from 'node:fs/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { type Item, timestamp } from '../../storage/attributes.ts';
import { clientAuthenticationFromItem, clientFromItem, clientsTable } from '../../storage/client.ts';
import { fileAccessFromItem, fileContentFromItem, fileFromItem, filesTable } from '../../storage/file.ts';
import { uploadIdOf } from '../../storage/object-key.ts';
import { parseKeySet, parseSigningKeys } from '../../storage/signing-keys.ts';
import type { TableKeys } from '../../storage/table.ts';
import { tombstoneOf } from '../../storage/tombstone.ts';
import { uploadFromItem, uploadsTable } from '../../storage/upload.ts';

/**
 * What released versions stored is read by this one. `released/VERSION/` holds an item or a secret of each shape, by a name
 * that says what is special about it, and items as plain values. Deployments hold such items. Whoever adds an attribute adds
 * an item with it to the folder of the version that comes.
 */

const folder = new URL('released/', import.meta.url);

/** What was recorded under each name, in each released version. */
async function recorded<One>(file: string): Promise<readonly (readonly [string, One])[]> {
  const versions = await readdir(folder);
  const found = versions.map(async (version) => {
    const text = await readFile(new URL(`${version}/${file}`, folder), 'utf8');
    const entries = Object.entries(JSON.parse(text) as Record<string, One>);
    expect(entries.length).toBeGreaterThan(0);
    return entries.map(([name, one]) => [`${version}, ${name}`, one] as const);
  });
  expect(versions.length).toBeGreaterThan(0);
  return (await Promise.all(found)).flat();
}

type Plain = Readonly<Record<string, unknown>>;

/** Every item is read with every value, and has the keys of its table and of the indexes that list it. */
async function expectRead(file: string, keys: TableKeys, parse: (item: Item) => object): Promise<void> {
  const indexes = keys.indexes.filter(({ sparse }) => sparse !== true);
  const names = [
    keys.partitionKey,
    ...indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
  ];
  for (const [name, stored] of await recorded<Plain>(file)) {
    // Older versions stored the sequencer of S3, and nothing reads it any more.
    const { delete_after, sequencer: _, ...others } = stored;
    const end = timestamp(new Date(Number(delete_after ?? 0) * 1000));
    const expected = delete_after === undefined ? others : { ...others, delete_after: end };
    expect([name, parse(asItem(stored))]).toEqual([name, expected]);
    expect([name, names.filter((key) => typeof stored[key] !== 'string')]).toEqual([name, []]);
  }
}

test('clients of released versions are read with every value', async () => {
  await expectRead('clients.json', clientsTable, clientFromItem);
  for (const [name, stored] of await recorded<Plain>('clients.json')) {
    expect([name, clientAuthenticationFromItem(asItem(stored)).status]).toEqual([name, stored.status]);
  }
});

test('files of released versions are read with every value', async () => {
  await expectRead('files.json', filesTable, fileFromItem);
  for (const [name, stored] of await recorded<Plain>('files.json')) {
    const item = asItem(stored);
    expect([name, fileAccessFromItem(item).sync_enabled]).toEqual([name, stored.sync_enabled]);
    expect([name, fileContentFromItem(item).content]).toEqual([name, stored.content]);
  }
});

test('uploads of released versions are read with every value', async () => {
  await expectRead('uploads.json', uploadsTable, uploadFromItem);
});

test('tombstones of released versions still mark uploads', async () => {
  interface Tombstone {
    readonly Key: string;
    readonly Tagging: string;
  }
  for (const [name, { Key, Tagging }] of await recorded<Tombstone>('tombstones.json')) {
    const tags = [...new URLSearchParams(Tagging)].map(([tag, value]) => ({ Key: tag, Value: value }));
    expect([name, uploadIdOf(Key), tombstoneOf(tags)]).toEqual([
      name,
      expect.any(String),
      expect.any(String),
    ]);
  }
});

test('keys of released versions are read with every value', async () => {
  for (const [name, stored] of await recorded<Plain>('signing-keys.json')) {
    // In older versions, `previous` signed until `current` could. Nothing reads these members any more.
    const { previous: _, signs_from: __, ...keys } = stored;
    expect([name, parseSigningKeys(JSON.stringify(stored))]).toEqual([name, keys]);
  }
  for (const [name, keySet] of await recorded('key-set.json')) {
    expect([name, parseKeySet(JSON.stringify(keySet))]).toEqual([name, keySet]);
  }
});

function asItem(values: object): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, attribute(value)]));
}

/** A value as DynamoDB holds it. */
function attribute(value: unknown): AttributeValue {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? { L: value.map(attribute) } : { M: asItem(value) };
  }
  if (typeof value === 'boolean') {
    return { BOOL: value };
  }
  return typeof value === 'number' ? { N: String(value) } : { S: String(value) };
}
