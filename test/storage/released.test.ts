import { readdir, readFile } from 'node:fs/promises';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Item, timestamp } from '../../storage/attributes.ts';
import { clientAuthenticationFromItem, clientFromItem, clientsTable } from '../../storage/client.ts';
import { fileAccessFromItem, fileContentFromItem, fileFromItem, filesTable } from '../../storage/file.ts';
import { uploadIdOf } from '../../storage/object-key.ts';
import { organisationFromItem, organisationsTable } from '../../storage/organisation.ts';
import { parseKeySet, parseSigningKey } from '../../storage/signing-keys.ts';
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
    return entries.map(([name, one]) => [`${version}, ${name}`, one] as const);
  });
  const all = (await Promise.all(found)).flat();
  // Without cases, no test would fail.
  expect(all).not.toEqual([]);
  return all;
}

type Plain = Readonly<Record<string, unknown>>;

/** The values that are read from an item as it was stored. Only an index uses the shard. */
function valuesOf({ delete_after, sequencer: _, list_shard: _shard, ...others }: Plain): Plain {
  // Older versions stored the sequencer of S3, and nothing reads it any more.
  return delete_after === undefined
    ? others
    : { ...others, delete_after: timestamp(new Date(Number(delete_after) * 1000)) };
}

/** Keys of its table, and of the indexes that list it, which an item lacks. */
function missingKeys({ partitionKey, indexes }: TableKeys, stored: Plain): string[] {
  const listed = indexes.filter(({ sparse }) => sparse !== true);
  const keys = [partitionKey, ...listed.flatMap((index) => [index.partitionKey, index.sortKey])];
  return keys.filter((key) => typeof stored[key] !== 'string');
}

const tables: readonly (readonly [string, TableKeys, (item: Item) => object])[] = [
  ['organisations', organisationsTable, organisationFromItem],
  ['clients', clientsTable, clientFromItem],
  ['files', filesTable, fileFromItem],
  ['uploads', uploadsTable, uploadFromItem],
];

describe.for(tables)('%s of released versions', async ([name, keys, parse]) => {
  test.for(await recorded<Plain>(`${name}.json`))('are read with every value: %s', ([, stored]) => {
    expect(parse(asItem(stored))).toEqual(valuesOf(stored));
    expect(missingKeys(keys, stored)).toEqual([]);
  });
});

test.for(await recorded<Plain>('clients.json'))('the token endpoint reads a client: %s', ([, stored]) => {
  expect(clientAuthenticationFromItem(asItem(stored)).status).toBe(stored.status);
});

test.for(await recorded<Plain>('files.json'))('sync and the recorder read a file: %s', ([, stored]) => {
  expect(fileAccessFromItem(asItem(stored)).sync_enabled).toBe(stored.sync_enabled);
  expect(fileContentFromItem(asItem(stored)).content).toEqual(stored.content);
});

test.for(await recorded<{ readonly Key: string; readonly Tagging: string }>('tombstones.json'))(
  'a tombstone still marks an upload: %s',
  ([, { Key, Tagging }]) => {
    const tags = [...new URLSearchParams(Tagging)].map(([tag, value]) => ({ Key: tag, Value: value }));
    expect([uploadIdOf(Key), tombstoneOf(tags)]).toEqual([expect.any(String), expect.any(String)]);
  },
);

test.for(await recorded<Plain>('signing-keys.json'))('a signing key is read: %s', ([, stored]) => {
  expect(parseSigningKey(JSON.stringify(stored))).toEqual(stored);
});

test.for(await recorded('key-set.json'))('the key set is read: %s', ([, stored]) => {
  expect(parseKeySet(JSON.stringify(stored))).toEqual(stored);
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
