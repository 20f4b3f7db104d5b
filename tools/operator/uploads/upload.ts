import { uploadUrlLifetimeSeconds } from '../../../contract/limits.ts';
import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { afterEveryKey } from '../../../storage/newest-first.ts';
import {
  type IssuedUpload,
  type Upload as StoredUpload,
  storedUploadStates,
  uploadFromItem,
  uploadsTable,
} from '../../../storage/upload.ts';
import { uuidV7Start, uuidV7Time } from '../../../storage/uuid-v7.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { getItem } from '../deployment/items.ts';
import { isWithin, type TimeRange } from '../lists/filters.ts';
import { indexItems } from '../lists/index-items.ts';
import type { IndexSource } from '../lists/list.ts';
import { quoted } from '../text.ts';
import { timelineOf } from './timeline.ts';

/** Stored states, and `expired` for an issued upload with an expired URL. `expired` is never stored. */
export const uploadStates = [...storedUploadStates, 'expired'] as const;

export type UploadState = (typeof uploadStates)[number];

/** A stored upload without the attributes that only the service uses: the time of its next check. */
type PublicUpload<Stored> = Stored extends unknown ? Omit<Stored, 'due_shard' | 'due_at'> : never;

/** An upload, as stored or `expired`. */
export type Upload =
  | PublicUpload<StoredUpload>
  | (Omit<PublicUpload<IssuedUpload>, 'state'> & { readonly state: 'expired' });

function withExpiry(stored: StoredUpload, now: Timestamp): Upload {
  const { due_shard: _shard, due_at: _at, ...upload } = stored;
  return upload.state === 'issued' && upload.expires_at <= now ? { ...upload, state: 'expired' } : upload;
}

/**
 * Returns the state of an upload in one word. `superseded` and `deleted` replace `completed`, because they
 * are more specific.
 */
export function wordOf({ state, superseded_at, deleted_at }: Upload): UploadState | 'superseded' | 'deleted' {
  if (deleted_at !== undefined) {
    return 'deleted';
  }
  return superseded_at === undefined ? state : 'superseded';
}

/** Selection of uploads. An empty selection selects all uploads. */
export interface UploadSelection extends TimeRange {
  /** Ids of the file, the organisation and the client. */
  readonly file?: string | undefined;
  readonly organisation?: string | undefined;
  readonly client?: string | undefined;
  /** State to select. */
  readonly status?: string | undefined;
  /** Id of the request that got the upload URL. */
  readonly request?: string | undefined;
  /** Start of the upload's id. */
  readonly idStart?: string | undefined;
}

/** Returns the source of the selected uploads. */
export function uploadSource(
  deployment: Pick<Deployment, 'now'>,
  selection: UploadSelection,
): IndexSource<Upload> {
  const { file, organisation, client, status, request, ...range } = selection;
  const { partitionKey: tableKey, indexes } = uploadsTable;
  const [byFile, byOrganisation, newest] = indexes;
  const owner = file ?? organisation;
  const ofOwner = file === undefined ? byOrganisation : byFile;
  const at = deployment.now();
  const now = timestamp(at);
  return {
    index: { kind: 'upload', tableKey, ...(owner === undefined ? newest : ofOwner) },
    partitions: owner === undefined ? newest.shards : [owner],
    ...idsWithin(selection, at),
    canMatch: (indexed) => client === undefined || indexed.client_id?.S === client,
    entryOf: (item) => {
      const upload = withExpiry(uploadFromItem(item), now);
      const isWanted =
        isWithin(upload.issued_at, range) &&
        (organisation === undefined || upload.organisation_id === organisation) &&
        (status === undefined || upload.state === status) &&
        // The `=` at the end of a request id may be missing, because a double click does not select it.
        (request === undefined || [request, `${request}=`].includes(upload.request_id ?? ''));
      return isWanted ? upload : undefined;
    },
  };
}

/**
 * Tolerance for upload ids. An id starts with its time, and `issued_at` is that time in whole seconds. A
 * function keeps the order of its ids even if its clock is set back, so its ids can be ahead of `issued_at`.
 * AWS corrects clocks by far less than five minutes.
 */
const slackMilliseconds = 5 * 60_000;

/** Returns the range of ids for a range of time. Each upload is then compared by its `issued_at`. */
function idsWithin(
  { since, until, status, idStart }: UploadSelection,
  now: number,
): Pick<IndexSource<Upload>, 'from' | 'to'> {
  if (idStart !== undefined) {
    return { from: idStart, to: `${idStart}${afterEveryKey}` };
  }
  const from = since && Date.parse(since);
  // An upload is `issued` only until its URL expires.
  const oldestIssued = now - uploadUrlLifetimeSeconds * 1000;
  const first = status === 'issued' ? Math.max(from || 0, oldestIssued) : from;
  return {
    from: first ? uuidV7Start(first - slackMilliseconds) : undefined,
    to: until && uuidV7Start(Date.parse(until) + slackMilliseconds),
  };
}

/**
 * Describes a clock of the service that went back: the time of the newest upload's id is more than a minute
 * away, so new uploads of its file count as older (docs/decisions/0004-uploads-are-ordered-by-their-id.md).
 *
 * @returns undefined if there is no such upload
 */
export async function describeSetBack(deployment: Deployment): Promise<string | undefined> {
  const source = { ...uploadSource(deployment, {}), from: uuidV7Start(deployment.now() + 60_000) };
  for await (const [newest] of indexItems(deployment, source)) {
    const id = newest?.upload_id?.S;
    return (
      id &&
      `The clock of the service went back: the upload ${quoted(id)} was issued at ${timestamp(uuidV7Time(id))}. Until then, new uploads of its file are superseded immediately. Set the clock, or start a local run over with --fresh.`
    );
  }
  return undefined;
}

/**
 * Reads an upload.
 *
 * @throws {OperationError} when there is no upload with this id
 */
export async function getUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  return (await getUploadWithTimeline(deployment, uploadId)).upload;
}

/**
 * Reads an upload with its timeline.
 *
 * @throws {OperationError} when there is no upload with this id
 */
export async function getUploadWithTimeline(deployment: Deployment, uploadId: string) {
  const stored = uploadFromItem(await getItem(deployment, 'upload', uploadId));
  const now = timeOf(deployment);
  return { upload: withExpiry(stored, now), timeline: timelineOf(stored, now) };
}
