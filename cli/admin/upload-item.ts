import { type Item, optionalString, readNumber, readString, type Timestamp } from './items.ts';

/** `expired` is an issued upload whose URL's time is over; it is never stored. */
export const uploadStates = ['issued', 'completed', 'cancelled', 'expired'] as const;

export type UploadState = (typeof uploadStates)[number];

/** What every upload has. */
interface Issue {
  readonly upload_id: string;
  readonly file_id: string;
  readonly organisation_id: string;
  readonly client_id: string;
  readonly key: string;
  readonly issued_at: Timestamp;
  readonly expires_at: Timestamp;
}

interface Completed extends Issue {
  readonly state: 'completed';
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly version_id: string;
  readonly completed_at: Timestamp;
  /** When a later upload's content replaced this one's. */
  readonly superseded_at?: Timestamp;
}

interface Cancelled extends Issue {
  readonly state: 'cancelled';
  readonly cancelled_at: Timestamp;
}

/** An upload as the command line tells of it. */
export type Upload = (Issue & { readonly state: 'issued' | 'expired' }) | Completed | Cancelled;

/**
 * @param now decides whether an issued upload has expired
 * @throws {Error} when the item was not written by this service
 */
export function uploadFromItem(item: Item, now: Timestamp): Upload {
  const issue: Issue = {
    upload_id: readString(item, 'upload_id'),
    file_id: readString(item, 'file_id'),
    organisation_id: readString(item, 'organisation_id'),
    client_id: readString(item, 'client_id'),
    key: readString(item, 'key'),
    issued_at: readString(item, 'issued_at'),
    expires_at: readString(item, 'expires_at'),
  };
  const state = readString(item, 'state');
  if (state === 'completed') return completedFromItem(issue, item);
  if (state === 'cancelled') return { ...issue, state, cancelled_at: readString(item, 'cancelled_at') };
  return { ...issue, state: issue.expires_at <= now ? 'expired' : 'issued' };
}

function completedFromItem(issue: Issue, item: Item): Completed {
  const supersededAt = optionalString(item, 'superseded_at');
  return {
    ...issue,
    state: 'completed',
    size: readNumber(item, 'size'),
    etag: readString(item, 'etag'),
    version_id: readString(item, 'version_id'),
    completed_at: readString(item, 'completed_at'),
    ...(supersededAt !== undefined && { superseded_at: supersededAt }),
  };
}
