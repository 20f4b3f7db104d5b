import { maximumUploadUrlLifetimeSeconds } from '../../contract/limits.ts';
import { timestamp } from '../../storage/attributes.ts';
import { uuidV7Pattern, uuidV7Time } from '../../storage/uuid-v7.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type NewestPortion, readNewest } from './newest-portion.ts';
import { listUploads, type Upload, type UploadSelection } from './uploads.ts';

/** A part of a list of uploads. Its places are ids of uploads. */
export type UploadPortion = NewestPortion<Upload>;

export interface UploadPlace {
  /** Only uploads that were issued before this one. Default: from the newest on. */
  readonly before?: string | undefined;
  /** The most entries. */
  readonly enough: number;
  /** A state that few uploads of an index have must not let a page read all of it. */
  readonly isTimeUp: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Reads a part of the selected uploads. */
export function readUploads(
  deployment: Deployment,
  selection: UploadSelection,
  place: UploadPlace,
): Promise<UploadPortion> {
  const within = narrowed(selection, place);
  return selection.fileId === undefined && selection.organisationId === undefined
    ? readFromAll(deployment, within, place)
    : readFromIndex(deployment, within, place);
}

/** The time range that can have entries: an upload is `issued` only until its URL expires. */
function narrowed(selection: UploadSelection, { before, now }: UploadPlace): UploadSelection {
  const end = before === undefined ? undefined : endOfSecond(before);
  const oldestIssued = timestamp(new Date(now - (maximumUploadUrlLifetimeSeconds + 60) * 1000));
  const { since, until, state } = selection;
  return {
    ...selection,
    since: state === 'issued' && (since === undefined || since < oldestIssued) ? oldestIssued : since,
    until: end !== undefined && (until === undefined || end < until) ? end : until,
  };
}

/** Uploads that were issued before this one have an earlier `issued_at` than this. */
function endOfSecond(uploadId: string): string | undefined {
  return uuidV7Pattern.test(uploadId) ? timestamp(new Date(uuidV7Time(uploadId) + 1000)) : undefined;
}

/** The index has them in order, but not their states: those are looked at one page after the other. */
async function readFromIndex(
  deployment: Deployment,
  { state, ...selection }: UploadSelection,
  { before, enough, isTimeUp }: UploadPlace,
): Promise<UploadPortion> {
  const entries: Upload[] = [];
  let read = 0;
  let last: string | undefined;
  // A filter by client leaves out much of a page, and so needs large ones.
  const pageSize = selection.clientId === undefined ? enough + 1 : undefined;
  for await (const page of listUploads(deployment, selection, { pageSize })) {
    for (const upload of page) {
      if (before !== undefined && upload.upload_id >= before) {
        continue;
      }
      if (entries.length === enough) {
        return { entries, next: last, isCutShort: false, read };
      }
      read += 1;
      last = upload.upload_id;
      if (state === undefined || upload.state === state) {
        entries.push(upload);
      }
    }
    if (last !== undefined && entries.length < enough && isTimeUp()) {
      return { entries, next: last, isCutShort: true, read };
    }
  }
  return { entries, next: undefined, isCutShort: false, read };
}

/**
 * Of all uploads, the newest that match. States are looked at in a bounded number of uploads: a state that few have must
 * not let a page read the whole table.
 */
function readFromAll(
  deployment: Deployment,
  { state, ...selection }: UploadSelection,
  { before, enough }: UploadPlace,
): Promise<UploadPortion> {
  return readNewest({
    list: (options) => listUploads(deployment, selection, options),
    isOlder: before === undefined ? undefined : ({ upload_id }) => upload_id < before,
    matches: state === undefined ? undefined : (upload) => upload.state === state,
    placeOf: ({ upload_id }) => upload_id,
    enough,
  });
}
