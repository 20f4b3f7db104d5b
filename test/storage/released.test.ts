import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, test } from 'vitest';
import type { Item } from '../../storage/attributes.ts';
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

const folder = fileURLToPath(new URL('released/', import.meta.url));
const versions = (await readdir(folder)).sort();

/** @throws {Error} saying what cannot be read of what was recorded, or is lost */
type Reader = (recorded: unknown) => void;

const readers: Readonly<Record<string, Reader>> = {
  'clients.json': (item) => {
    readItem(item, clientsTable, clientFromItem);
    clientAuthenticationFromItem(item as Item);
  },
  'files.json': (item) => {
    readItem(item, filesTable, fileFromItem);
    fileAccessFromItem(item as Item);
    fileContentFromItem(item as Item);
  },
  'uploads.json': (item) => readItem(item, uploadsTable, uploadFromItem),
  'tombstones.json': readTombstone,
  'signing-keys.json': (secret) => requireValues(secret, parseSigningKeys(JSON.stringify(secret))),
  'key-set.json': (secret) => requireValues(secret, parseKeySet(JSON.stringify(secret))),
};

/** What is wrong with each item of a file. */
function faultsIn(file: string, text: string): readonly string[] {
  const recorded: Readonly<Record<string, unknown>> = JSON.parse(text);
  expect(Object.keys(recorded).length, file).toBeGreaterThan(0);
  return Object.entries(recorded).flatMap(([name, one]) => {
    try {
      readers[file]?.(one);
      return [];
    } catch (error) {
      return [`${file}, ${name}: ${error instanceof Error ? error.message : error}`];
    }
  });
}

describe('what released versions stored', () => {
  it.each(versions)('is read by this version, with every value: %s', async (version) => {
    expect((await readdir(join(folder, version))).sort()).toEqual(Object.keys(readers).sort());
    const faults = Object.keys(readers).map(async (file) =>
      faultsIn(file, await readFile(join(folder, version, file), 'utf8')),
    );
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  test.each([
    ['clients.json', '"status"', '"state"', 'The stored client is not as expected at: status'],
    ['clients.json', '"ends_at"', '"ended"', 'secrets.0.ended is stored, and lost when it is read'],
    ['uploads.json', '"superseded_at"', '"replaced_at"', 'replaced_at is stored, and lost when it is read'],
    ['tombstones.json', 'tombstone=', 'grave=', 'The tags grave=cancelled no longer mark a tombstone'],
    ['key-set.json', '"until"', '"expires"', 'expires is stored, and lost when it is read'],
  ])('would be missed: %s with another name for %s', async (file, from, to, fault) => {
    const text = await readFile(join(folder, '0.0.0', file), 'utf8');
    expect(faultsIn(file, text.replaceAll(from, to)).join('\n')).toContain(fault);
  });
});

function readItem(recorded: unknown, keys: TableKeys, parse: (item: Item) => unknown): void {
  const item = recorded as Item;
  requireValues(plain({ M: item }), parse(item));
  const attributes = [
    keys.partitionKey,
    ...keys.indexes.flatMap(({ partitionKey, sortKey, sparse }) => (sparse ? [] : [partitionKey, sortKey])),
  ];
  const missing = attributes.filter((name) => item[name]?.S === undefined);
  if (missing.length > 0) {
    throw new Error(`The table or an index of it is keyed by ${missing.join(', ')}, which the item lacks`);
  }
}

function readTombstone(recorded: unknown): void {
  const { Key, Tagging } = recorded as { readonly Key: string; readonly Tagging: string };
  if (uploadIdOf(Key) === undefined) {
    throw new Error('The object key is no longer that of an upload');
  }
  const tags = [...new URLSearchParams(Tagging)].map(([name, value]) => ({ Key: name, Value: value }));
  if (tombstoneOf(tags) === undefined) {
    throw new Error(`The tags ${Tagging} no longer mark a tombstone`);
  }
}

/** Names may differ: it is enough that no value is lost. */
function requireValues(stored: unknown, read: unknown): void {
  const left = leavesOf(read);
  for (const leaf of leavesOf(stored)) {
    const place = left.findIndex(({ value }) => isSame(leaf.value, value));
    if (place < 0) {
      throw new Error(`${leaf.path} is stored, and lost when it is read`);
    }
    left.splice(place, 1);
  }
}

/** A time in seconds may be read as the text of the same time. */
function isSame(stored: unknown, read: unknown): boolean {
  return (
    stored === read ||
    (typeof stored === 'number' && typeof read === 'string' && Date.parse(read) === stored * 1000)
  );
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) {
    return [{ path, value }];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** An attribute as a plain value, by its type alone: what is stored, whatever a schema expects. */
function plain(attribute: AttributeValue): unknown {
  if (attribute.M !== undefined) {
    return Object.fromEntries(Object.entries(attribute.M).map(([name, inner]) => [name, plain(inner)]));
  }
  if (attribute.L !== undefined) {
    return attribute.L.map(plain);
  }
  if (attribute.N !== undefined) {
    return Number(attribute.N);
  }
  return attribute.S ?? attribute.BOOL;
}
