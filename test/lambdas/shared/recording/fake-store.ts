import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { findInDynalite } from 'cloud-assembly-emulator/dynamodb/table-operations';
import type { Announce, Announcement } from '../../../../lambdas/shared/recording/announce.ts';
import type { Bucket, CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { type RecordDependencies, recordObject } from '../../../../lambdas/shared/recording/record-object.ts';
import { createReadItem, createTables } from '../../../../lambdas/shared/recording/recording-tables.ts';
import {
  type Item,
  later,
  type Timestamp,
  textAttributes,
  timeToLive,
} from '../../../../storage/attributes.ts';
import { fileContentFromItem } from '../../../../storage/file.ts';
import { objectKeyOf } from '../../../../storage/object-key.ts';
import { putIssued, type Upload, uploadFromItem } from '../../../../storage/upload.ts';
import { noon } from '../../../support/signing-keys.ts';
import { recordingLog } from '../../support/log.ts';

/** Upload ids in the order of issue: 2026-01-31T08:00:00.000Z. */
export const id = (number: number) => `019c1310-e400-7${String(number).padStart(3, '0')}-8f43-5e0d1c2b3a49`;

/** Returns the item of an upload whose URL was issued an hour before it expires. */
export function issuedItem(uploadId: string, fileId: string, expiresAt: Timestamp): Item {
  const { Item = {} } = putIssued({
    upload_id: uploadId,
    file_id: fileId,
    organisation_id: 'acme',
    client_id: 'client',
    key: objectKeyOf(uploadId),
    issued_at: later(expiresAt, -3_600_000),
    expires_at: expiresAt,
  });
  return Item;
}

/** Returns the object of an upload, as created by S3. */
export function objectOf(number: number, change: Partial<CreatedObject> = {}): CreatedObject {
  return {
    key: `uploads/${id(number)}`,
    versionId: `version-${number}`,
    size: number,
    etag: `etag-${number}`,
    createdAt: new Date('2026-01-31T08:30:00.000Z'),
    sourceIp: '192.0.2.7',
    ...change,
  };
}

/**
 * The tables and the bucket in memory. The emulator evaluates the conditions and changes of the writes. Every call
 * yields, so that concurrent events interleave. Reads and writes pass two crash points: before and after the effect.
 */
function createStore() {
  const items = new Map<string, Item>();
  const uploads = new WeakMap<Item, Upload>();
  const tagsByVersion = new Map<string, string>();
  const writes: string[] = [];
  const announced: Announcement[] = [];
  const call = async <Value>(effect: () => Value): Promise<Value> => {
    await Promise.resolve();
    store.crashPoint();
    try {
      return effect();
    } finally {
      store.crashPoint();
    }
  };
  const send = async (command: GetItemCommand | QueryCommand | UpdateItemCommand) => {
    if (command instanceof QueryCommand) {
      return { Items: queryDue([...items.values()], command.input) };
    }
    const [key = ''] = Object.values(command.input.Key ?? {}).map(({ S }) => S);
    return call(() => {
      if (command instanceof GetItemCommand) {
        return { Item: items.get(key) };
      }
      writes.push(key);
      update(items, key, command.input);
      return {};
    });
  };
  const client = { send } as unknown as DynamoDBClient;
  const announce: Announce = (announcement) =>
    call(() => {
      writes.push('announce');
      announced.push(announcement);
    });
  const bucket: Bucket = {
    readTombstone: (_key, versionId) => call(() => tagsByVersion.get(versionId)),
    readChecksum: () => call(() => undefined),
  };
  const store = {
    /** Items of both tables, by their keys. A write replaces an item, and never changes it. */
    items,
    /** Tombstone tags by version. */
    tagsByVersion,
    /** Key of the item of each write, also of rejected ones, and `announce` for each event, in order. */
    writes,
    /** Sent events, in order. */
    announced,
    client,
    tables: createTables(client, { files: 'files', uploads: 'uploads' }, createReadItem(client)),
    announce,
    bucket,
    /** Called before and after each call of a store. Throws if the process dies there. */
    crashPoint: (): void => undefined,
    /** Sets attributes of an upload or a file, like an operator or another run. */
    change: (key: string, { delete_after, ...texts }: Readonly<Record<string, string>>) => {
      const end = delete_after === undefined ? {} : { delete_after: timeToLive(delete_after) };
      items.set(key, { ...items.get(key), ...textAttributes(texts), ...end });
    },
    upload: (uploadId: string): Upload => {
      const item = items.get(uploadId) ?? expect.fail(`No upload ${uploadId}`);
      const upload = uploads.get(item) ?? uploadFromItem(item);
      uploads.set(item, upload);
      return upload;
    },
    file: () => fileContentFromItem(items.get('orders.csv') ?? {}),
    /** Kind and upload of each sent event, in order. */
    kinds: () => announced.map(({ kind, upload }) => `${kind} ${upload.upload_id}`),
  };
  return store;
}

/** Queries the index of due uploads. Other queries find nothing: the file is not watched. */
function queryDue(
  items: readonly Item[],
  { ExpressionAttributeValues, ScanIndexForward }: QueryCommandInput,
) {
  const { ':partition': shard, ':from': from, ':until': until } = ExpressionAttributeValues ?? {};
  const text = (value?: AttributeValue) => value?.S ?? '';
  const found = items
    .filter(({ due_shard, due_at }) => due_shard?.S === shard?.S && text(due_at) >= text(from))
    .filter(({ due_at }) => text(due_at) <= text(until))
    .toSorted((one, other) => text(one.due_at).localeCompare(text(other.due_at)));
  return ScanIndexForward === false ? found.toReversed() : found;
}

const { act, validation } = findInDynalite('UpdateItem');

type Done = (error: null, value?: object) => void;

/**
 * Updates an item with dynalite, without a delay between the check of its condition and the write.
 *
 * @throws {Error} the error of DynamoDB, if the condition is false or an expression is invalid
 */
function update(items: Map<string, Item>, key: string, input: UpdateItemCommandInput): void {
  const [AttributeName] = Object.keys(input.Key ?? {});
  const table = {
    AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
    KeySchema: [{ AttributeName, KeyType: 'HASH' }],
  };
  const rows = {
    lock: (_key: string, run: (release: (done: Done) => Done) => void) => run((done) => done),
    get: (_key: string, done: Done) => done(null, items.get(key)),
    put: (_key: string, item: Item, done: Done) => done(null, items.set(key, item)),
  };
  const store = {
    getTable: (_name: string, done: Done) => done(null, table),
    getItemDb: () => rows,
    options: { maxItemSize: Number.POSITIVE_INFINITY },
  };
  const parsed = { ...input };
  const invalid = Object(validation).custom(parsed);
  if (invalid !== undefined) {
    throw new Error(invalid);
  }
  act(store as never, parsed, (error) => {
    if (error !== null) {
      throw Object.assign(error, { name: Object(error).body.__type.split('#')[1] });
    }
  });
}

/** Creates uploads of the file `orders.csv`, whose objects are recorded at noon. */
export function recordingOf(uploads: number) {
  const store = createStore();
  for (let number = 1; number <= uploads; number += 1) {
    store.items.set(id(number), issuedItem(id(number), 'orders.csv', '2026-01-31T09:00:00.000Z'));
  }
  store.change('orders.csv', { file_id: 'orders.csv' });
  const { log, lines, values } = recordingLog();
  const dependencies: RecordDependencies = { ...store, now: () => noon, log };
  return {
    store,
    dependencies,
    record: (object: CreatedObject, others: Partial<RecordDependencies> = {}) =>
      recordObject(object, { ...dependencies, ...others }),
    file: store.file,
    upload: (number = 1) => store.upload(id(number)),
    lines,
    values,
  };
}
