import { type Item, type Timestamp, timestamp } from '../../storage/attributes.ts';
import {
  type IssuedUpload,
  readUpload,
  type Upload as StoredUpload,
  storedUploadStates,
  uploadFromItem,
  uploadsTable,
} from '../../storage/upload.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { newestByIndex } from './newest-by-index.ts';
import { compareText, type ListOptions } from './newest-first.ts';
import {
  type Condition,
  firstOf,
  isWithin,
  mapPages,
  type PageRead,
  type Pages,
  readPages,
  type TimeRange,
  textIs,
  timeWithin,
} from './pages.ts';
import { notFound, readItem, readItems, requireIdentifier } from './tables.ts';

/** The stored states, and `expired`: an issued upload whose URL has expired. `expired` is never stored. */
export const uploadStates = [...storedUploadStates, 'expired'] as const;

export type UploadState = (typeof uploadStates)[number];

/** When an upload is looked at, and why, is of use to the service alone. */
type Shown<Stored> = Stored extends unknown ? Omit<Stored, 'due_shard' | 'due_at' | 'announced'> : never;

/** An upload, as stored or `expired`. */
export type Upload =
  | Shown<StoredUpload>
  | (Omit<Shown<IssuedUpload>, 'state'> & { readonly state: 'expired' });

function withExpiry(stored: StoredUpload, now: Timestamp): Upload {
  const { due_shard: _shard, due_at: _at, announced: _announced, ...upload } = stored;
  return upload.state === 'issued' && upload.expires_at <= now ? { ...upload, state: 'expired' } : upload;
}

/** Selects uploads. Without anything: all of them. */
export interface UploadSelection extends TimeRange {
  readonly fileId?: string | undefined;
  readonly organisationId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly state?: UploadState | undefined;
}

/**
 * Lists uploads, newest first. For a file or an organisation, an index has them in this order, and only the pages that
 * are asked for are read. The index lacks what changes, such as the state: that is read from the table. Otherwise the
 * newest of all organisations are merged (newest-by-index.ts).
 */
export function listUploads(
  deployment: Deployment,
  selection: UploadSelection,
  options: ListOptions = {},
): Pages<Upload> {
  const now = timestamp(new Date());
  return selection.fileId === undefined && selection.organisationId === undefined
    ? listAll(deployment, selection, options, now)
    : listIndexed(deployment, selection, options, now);
}

function listIndexed(
  deployment: Deployment,
  selection: UploadSelection,
  options: ListOptions,
  now: Timestamp,
): Pages<Upload> {
  const place = placeOf(selection);
  const filter = filterOf(selection, place, now);
  const pages = readPages(deployment, {
    ...place,
    filter,
    // A page need not have more items than are wanted, if all of them count.
    pageSize:
      filter.length === 0 && selection.state === undefined
        ? lesser(options.pageSize, options.limit)
        : options.pageSize,
    progress: options.progress,
  });
  const uploads = mapPages(completed(deployment, pages), (item) => withExpiry(uploadFromItem(item), now));
  return firstOf(inState(uploads, selection.state), options.limit);
}

function listAll(
  deployment: Deployment,
  selection: UploadSelection,
  options: ListOptions,
  now: Timestamp,
): Pages<Upload> {
  const [, { name, partitionKey, sortKey }] = uploadsTable.indexes;
  const entryOf = (item: Item) => withExpiry(uploadFromItem(item), now);
  const { pageSize, progress } = options;
  const filter = filterOf(selection, { table: 'UploadsTableName' }, now);
  return newestByIndex(
    deployment,
    {
      index: { table: 'UploadsTableName', name, partitionKey, sortKey, idKey: uploadsTable.partitionKey },
      range: idsWithin(sortKey, selection),
      entryOf,
      matches: (upload) => isSelected(upload, selection),
      compare: compareUploads,
      scan: () =>
        mapPages(readPages(deployment, { table: 'UploadsTableName', filter, pageSize, progress }), entryOf),
    },
    options,
  );
}

function isSelected(upload: Upload, { clientId, state, ...range }: UploadSelection): boolean {
  return (
    isWithin(upload.issued_at, range) &&
    (clientId === undefined || upload.client_id === clientId) &&
    (state === undefined || upload.state === state)
  );
}

/** The whole items of the table, of items of an index. A large page becomes several, so that no more are read than asked for. */
async function* completed(deployment: Deployment, pages: Pages<Item>): Pages<Item> {
  const { partitionKey } = uploadsTable;
  for await (const page of pages) {
    const ids = page.flatMap((item) => item[partitionKey]?.S ?? []);
    yield* readItems(deployment, 'UploadsTableName', partitionKey, ids);
  }
}

async function* inState(pages: Pages<Upload>, state: UploadState | undefined): Pages<Upload> {
  for await (const page of pages) {
    const matching = state === undefined ? page : page.filter((upload) => upload.state === state);
    if (matching.length > 0) {
      yield matching;
    }
  }
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Ids sort in the order of issue (UUIDv7), as both indexes do. */
function compareUploads(a: Upload, b: Upload): number {
  return compareText(b.upload_id, a.upload_id);
}

type Place = Pick<PageRead, 'table' | 'index' | 'key'>;

/** Where the uploads of a file or an organisation are. */
function placeOf({ fileId, organisationId, since, until }: UploadSelection): Place {
  const [byFile, byOrganisation] = uploadsTable.indexes;
  const index = fileId === undefined ? byOrganisation : byFile;
  return {
    table: 'UploadsTableName',
    index: index.name,
    key: [
      ...textIs(index.partitionKey, fileId ?? organisationId),
      ...idsWithin(index.sortKey, { since, until }),
    ],
  };
}

function filterOf(selection: UploadSelection, place: Place, now: Timestamp): readonly Condition[] {
  const inKey = new Set(place.key?.map(({ name }) => name));
  const conditions = [
    ...textIs('file_id', selection.fileId),
    ...textIs('organisation_id', selection.organisationId),
    ...textIs('client_id', selection.clientId),
    ...stateIs(selection.state, now).filter(({ name }) => place.key === undefined || name !== 'state'),
    ...timeWithin('issued_at', selection),
  ];
  return conditions.filter(({ name }) => !inKey.has(name));
}

function stateIs(state: UploadState | undefined, now: Timestamp): readonly Condition[] {
  if (state === 'issued') {
    return [...textIs('state', 'issued'), { name: 'expires_at', is: '>', value: { S: now } }];
  }
  if (state === 'expired') {
    return [...textIs('state', 'issued'), { name: 'expires_at', is: '<=', value: { S: now } }];
  }
  return textIs('state', state);
}

/**
 * An upload id starts with its time, and `issued_at` is that time in whole seconds. A function whose clock was set back
 * keeps the order of its ids, so they can be ahead of `issued_at`. Five minutes are far more than AWS corrects.
 */
const slackMilliseconds = 5 * 60_000;

/** Conditions on the sort key that let DynamoDB skip what is out of the range. `issued_at` decides what is in it. */
function idsWithin(name: string, { since, until }: TimeRange): readonly Condition[] {
  const from = since && { S: startOfIds(Date.parse(since) - slackMilliseconds) };
  const to = until && { S: startOfIds(Date.parse(until) + slackMilliseconds) };
  if (from && to) {
    return [{ name, between: [from, to] }];
  }
  return [
    ...(from ? [{ name, is: '>=', value: from } as const] : []),
    ...(to ? [{ name, is: '<', value: to } as const] : []),
  ];
}

/** The start that UUIDs of version 7 of this time have in common (RFC 9562 section 5.7). */
function startOfIds(milliseconds: number): string {
  const digits = Math.max(milliseconds, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** @throws {CommandError} when there is no upload with this id */
export async function getUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  requireIdentifier('upload', uploadId);
  const item = await readItem(deployment, 'UploadsTableName', readUpload(uploadId));
  if (item === undefined) {
    throw notFound('upload', uploadId);
  }
  return withExpiry(uploadFromItem(item), timestamp(new Date()));
}
