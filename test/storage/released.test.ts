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
 * What released versions stored is read by this one. `released/VERSION/` holds an item or a secret of each state, by a name
 * that says what is special about it. Deployments hold such items, so nothing there is ever changed or removed. Whoever
 * adds an attribute adds an item with it to the folder of the version that comes.
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

/** Every item is read with every value, and has the keys of its table and of the indexes that list it. */
async function expectRead(file: string, keys: TableKeys, parse: (item: Item) => object): Promise<void> {
  const indexes = keys.indexes.filter(({ sparse }) => sparse !== true);
  const names = [
    keys.partitionKey,
    ...indexes.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
  ];
  for (const [name, item] of await recorded<Item>(file)) {
    expect([name, parse(item)]).toEqual([name, plainItem(item)]);
    expect([name, names.filter((key) => item[key]?.S === undefined)]).toEqual([name, []]);
  }
}

test('clients of released versions are read with every value', async () => {
  await expectRead('clients.json', clientsTable, clientFromItem);
  for (const [name, item] of await recorded<Item>('clients.json')) {
    expect([name, clientAuthenticationFromItem(item).status]).toEqual([name, item.status?.S]);
  }
});

test('files of released versions are read with every value', async () => {
  await expectRead('files.json', filesTable, fileFromItem);
  for (const [name, item] of await recorded<Item>('files.json')) {
    expect([name, fileAccessFromItem(item).sync_enabled]).toEqual([name, item.sync_enabled?.BOOL]);
    expect([name, fileContentFromItem(item).content]).toEqual([name, item.content && plain(item.content)]);
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
  for (const [name, keys] of await recorded('signing-keys.json')) {
    expect([name, parseSigningKeys(JSON.stringify(keys))]).toEqual([name, keys]);
  }
  for (const [name, keySet] of await recorded('key-set.json')) {
    expect([name, parseKeySet(JSON.stringify(keySet))]).toEqual([name, keySet]);
  }
});

function plainItem(item: Item): object {
  const values = Object.entries(item).map(([name, value]) => [name, plain(value)] as const);
  const { delete_after, ...others } = Object.fromEntries(values);
  return delete_after === undefined
    ? others
    : { ...others, delete_after: timestamp(new Date(Number(delete_after) * 1000)) };
}

/** An attribute as a plain value, by its type alone: what is stored, whatever a schema expects. */
function plain(attribute: AttributeValue): unknown {
  if (attribute.M !== undefined) {
    return Object.fromEntries(Object.entries(attribute.M).map(([name, inner]) => [name, plain(inner)]));
  }
  if (attribute.L !== undefined) {
    return attribute.L.map(plain);
  }
  return attribute.N === undefined ? (attribute.S ?? attribute.BOOL) : Number(attribute.N);
}
