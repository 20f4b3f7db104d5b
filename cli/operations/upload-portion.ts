import { maximumUploadUrlLifetimeSeconds } from '../../contract/limits.ts';
import { timestamp } from '../../storage/attributes.ts';
import { uuidV7Pattern, uuidV7Time } from '../../storage/uuid-v7.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { allOf } from './pages.ts';
import { listUploads, type Upload, type UploadSelection, type UploadState } from './uploads.ts';

/** A part of a list of uploads, newest first. */
export interface UploadPortion {
  readonly entries: readonly Upload[];
  /** The next portion begins after this upload. Undefined at the end of the list. */
  readonly next: string | undefined;
  /** Whether time was up before there was enough: `next` goes on where the search stopped. */
  readonly isCutShort: boolean;
  /** How many items were read for it. */
  readonly read: number;
}

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

/** The newest of all organisations are merged, which is quick for so many of them (newest-by-index.ts). */
const examinedInState = 800;

/**
 * Of all uploads, the newest that match. Those of the same second as `before` are asked for as well, and left out. States
 * are looked at in a bounded number of uploads: a state that few have must not let a page read the whole table.
 */
async function readFromAll(
  deployment: Deployment,
  { state, ...selection }: UploadSelection,
  { before, enough }: UploadPlace,
): Promise<UploadPortion> {
  const wanted = state === undefined ? enough + 1 : examinedInState;
  for (let more = before === undefined ? 0 : 100; ; more *= 4) {
    const limit = wanted + more;
    let read = 0;
    const progress = (items: number) => {
      read = items;
    };
    const listed = await allOf(listUploads(deployment, selection, { limit, progress }));
    const older = before === undefined ? listed : listed.filter(({ upload_id }) => upload_id < before);
    const isAll = listed.length < limit;
    if (older.length >= wanted || isAll) {
      return portionOf(older.slice(0, wanted), {
        state,
        enough,
        isAll: isAll && older.length <= wanted,
        read,
      });
    }
  }
}

interface Examined {
  readonly state: UploadState | undefined;
  readonly enough: number;
  /** Whether the list ends with them. */
  readonly isAll: boolean;
  readonly read: number;
}

function portionOf(examined: readonly Upload[], { state, enough, isAll, read }: Examined): UploadPortion {
  const matching = state === undefined ? examined : examined.filter((upload) => upload.state === state);
  const entries = matching.slice(0, enough);
  if (matching.length > enough) {
    return { entries, next: entries.at(-1)?.upload_id, isCutShort: false, read };
  }
  return isAll
    ? { entries, next: undefined, isCutShort: false, read }
    : { entries, next: examined.at(-1)?.upload_id, isCutShort: true, read: examined.length };
}
