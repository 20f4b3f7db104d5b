/** An upload as far as recording it needs to know. */
export interface StoredUpload {
  readonly uploadId: string;
  readonly fileId: string;
  readonly key: string;
  readonly state: 'issued' | 'completed' | 'cancelled';
  /** Present when completed. */
  readonly completion?: Completion;
  /** Whether a later upload's content replaced it, and its tombstone stands. */
  readonly superseded: boolean;
}

/** What is known of uploaded bytes. */
export interface Completion {
  readonly versionId: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly completedAt: string;
}

/** What a file points at. */
export interface Content extends Completion {
  readonly uploadId: string;
  readonly key: string;
}

export interface StoredFile {
  readonly fileId: string;
  /** Upload whose content the file has; absent until the first. */
  readonly contentUploadId?: string;
  /** Replaced uploads whose objects are still to be marked: an outbox, oldest first. */
  readonly superseded: readonly string[];
}

/**
 * What recording reads and writes. Each write is one conditional write: `false` says that its condition failed, and
 * that nothing was changed.
 */
export interface UploadStore {
  readonly readUpload: (uploadId: string) => Promise<StoredUpload | undefined>;
  /** Completes an upload that is still issued. */
  readonly completeUpload: (uploadId: string, completion: Completion) => Promise<boolean>;
  /** Cancels an upload that is still issued. */
  readonly cancelUpload: (uploadId: string, cancelledAt: string) => Promise<boolean>;
  /** Notes once that an upload was superseded. */
  readonly markSuperseded: (uploadId: string, supersededAt: string) => Promise<boolean>;
  readonly readFile: (fileId: string) => Promise<StoredFile | undefined>;
  /** Points a file at new content, and puts the replaced upload into the outbox, if the file is still as read. */
  readonly replaceContent: (file: StoredFile, content: Content) => Promise<boolean>;
  /** Takes the first upload out of the outbox, if it is still the first. */
  readonly shiftSuperseded: (fileId: string, uploadId: string) => Promise<boolean>;
}

export type Tombstone = 'cancelled' | 'superseded';

export interface ObjectStore {
  /** The tombstone tag of an object version; undefined when it has none. */
  readonly readTombstone: (key: string, versionId: string) => Promise<string | undefined>;
  readonly putSupersededTombstone: (key: string) => Promise<void>;
}
