import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { messageOf } from '../../cli/errors.ts';
import type { Item } from '../../storage/attributes.ts';
import { clientAuthenticationFromItem, clientFromItem, clientsTable } from '../../storage/client.ts';
import { fileAccessFromItem, fileContentFromItem, fileFromItem, filesTable } from '../../storage/file.ts';
import { uploadIdOf } from '../../storage/object-key.ts';
import { parseKeySet, parseSigningKeys } from '../../storage/signing-keys.ts';
import type { TableKeys } from '../../storage/table.ts';
import { tombstoneOf } from '../../storage/tombstone.ts';
import { uploadFromItem, uploadsTable } from '../../storage/upload.ts';
import type { Finding } from './finding.ts';

/** Where each released version keeps what it stores: `VERSION/clients.json` and so on. */
export const releasedFolder = 'test/storage/released';

/** What the items of a version hold, by the file: each by a name that says what is special about it. */
export type Recorded = Readonly<Record<string, unknown>>;

/** @throws {Error} saying what cannot be read of the recorded data, or is lost */
type Reader = (recorded: unknown) => void;

/** Reads what a version stored with the code of this checkout, by the name of the file. */
export const readers: Readonly<Record<RecordedFile, Reader>> = {
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

/** The files that a version keeps. */
export const recordedFiles = [
  'clients.json',
  'files.json',
  'uploads.json',
  'tombstones.json',
  'signing-keys.json',
  'key-set.json',
] as const;

export type RecordedFile = (typeof recordedFiles)[number];

const tombstoneSchema = v.object({ Key: v.string(), Tagging: v.string() });

export interface ItemReport {
  /** Versions whose items were read, and how many there were. */
  readonly versions: readonly { readonly version: string; readonly items: number }[];
  readonly findings: readonly Finding[];
}

/**
 * Reads the items that every version below a folder recorded with the code of this checkout.
 *
 * @param root the folder of a version of the project
 */
export async function readRecorded(root: string): Promise<ItemReport> {
  const folder = join(root, releasedFolder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const reports = await Promise.all(names.sort().map((version) => readVersion(folder, version)));
  return {
    versions: reports.map(({ version, items }) => ({ version, items })),
    findings: reports.flatMap(({ findings }) => findings),
  };
}

async function readVersion(folder: string, version: string) {
  const read = await Promise.all(
    recordedFiles.map(async (file) => {
      const subject = `${releasedFolder}/${version}/${file}`;
      const recorded = await readFile(join(folder, version, file), 'utf8').then(parseRecorded, () => ({}));
      const findings = unreadable(file, subject, recorded);
      return { items: Object.keys(recorded).length, findings };
    }),
  );
  return {
    version,
    items: read.reduce((sum, { items }) => sum + items, 0),
    findings: read.flatMap(({ findings }) => findings),
  };
}

function parseRecorded(text: string): Recorded {
  return v.parse(v.record(v.string(), v.unknown()), JSON.parse(text));
}

/** One finding for all items with the same fault. */
function unreadable(file: RecordedFile, subject: string, recorded: Recorded): readonly Finding[] {
  const faults = new Map<string, string[]>();
  for (const [name, one] of Object.entries(recorded)) {
    const fault = faultOf(file, one);
    if (fault !== undefined) {
      faults.set(fault, [...(faults.get(fault) ?? []), name]);
    }
  }
  return [...faults].map(([fault, names]) => ({
    kind: 'items not readable',
    subject,
    what: `${fault}. Items: ${names.join('; ')}.`,
    why: 'Such items are in the tables and secrets of every deployment of that version. No update changes them.',
    next: 'Make what is new optional in storage/, and keep reading the old form.',
  }));
}

function faultOf(file: RecordedFile, recorded: unknown): string | undefined {
  try {
    readers[file](recorded);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

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
  const { Key, Tagging } = v.parse(tombstoneSchema, recorded);
  if (uploadIdOf(Key) === undefined) {
    throw new Error('The object key is no longer that of an upload');
  }
  const tags = [...new URLSearchParams(Tagging)].map(([name, value]) => ({ Key: name, Value: value }));
  if (tombstoneOf(tags) === undefined) {
    throw new Error(`The tags ${Tagging} no longer mark a tombstone`);
  }
}

/**
 * @throws {Error} when a value of what is stored is not among those that were read. Names may differ: it is enough that
 *     no value is lost
 */
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
