import * as v from 'valibot';
import {
  changeEntries,
  changesOf,
  deletionEntries,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  itemUpdate,
  numberAttribute,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
  timeToLive,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import { newestIndex, type TableKeys } from './table.ts';
import {
  deletionAttributes,
  dueAttributes,
  dueIndex,
  firstCheckAt,
  shardOf,
  uploadKey,
  uploadShards,
} from './upload-due.ts';

/**
 * Attributes that the list indexes contain besides keys. They never change, so each index is written once per
 * upload, at issue. A list reads the other attributes from the table.
 */
const fixedAttributes = ['client_id', 'issued_at', 'expires_at'] as const;

/** Upload ids sort in the order of issue, so all indexes except the last list uploads in that order. */
export const uploadsTable = {
  partitionKey: 'upload_id',
  indexes: [
    // Index of the uploads of a file.
    { name: 'by-file', partitionKey: 'file_id', sortKey: 'upload_id', attributes: fixedAttributes },
    // Index of the uploads of an organisation.
    {
      name: 'by-organisation',
      partitionKey: 'organisation_id',
      sortKey: 'upload_id',
      attributes: fixedAttributes,
    },
    // Which uploads are the newest? Each shard takes 1,000 writes a second, and a query of each shard reads the newest.
    { ...newestIndex, sortKey: 'upload_id', shards: uploadShards },
    // Which uploads must the service look at now?
    dueIndex,
  ],
} as const satisfies TableKeys;

/** The stored states of an upload. */
export const storedUploadStates = ['issued', 'completed', 'cancelled'] as const;

const stateSchema = v.object({ state: v.pipe(textAttribute, v.picklist(storedUploadStates)) });

/** Attributes of every upload, in the order of the command line's output. */
const issueEntries = {
  upload_id: textAttribute,
  file_id: textAttribute,
  organisation_id: textAttribute,
  client_id: textAttribute,
  key: textAttribute,
  issued_at: timeAttribute,
  expires_at: timeAttribute,
  /** API Gateway's id of the request that the URL was issued to. */
  request_id: v.exactOptional(textAttribute),
  /** IP address that asked for the URL. */
  requested_from: v.exactOptional(textAttribute),
};

/** Optional attributes of an upload in any state. */
const endEntries = {
  /**
   * Time at which the service found the URL unused. A slow PUT may end later, so a completed upload may
   * contain this time too.
   */
  expired_at: v.exactOptional(timeAttribute),
  /**
   * Time at which the completion or the cancellation was announced. Absent if it was not, because the file was
   * deleted before.
   */
  announced_at: v.exactOptional(timeAttribute),
  /**
   * Time at which the content of a later upload replaced the content of this upload: a moment before the file
   * points at the later content. After a crash, an upload can be superseded before it is completed. Uploads
   * of a deleted file are superseded and deleted.
   */
  superseded_at: v.exactOptional(timeAttribute),
  ...deletionEntries,
  /** `delete_after` before the file was deleted. */
  kept_until: v.exactOptional(timeAttribute),
  ...changeEntries,
  /** Time of the next check of the upload, and its partition of the index `due`. Absent when nothing is left to do. */
  due_shard: v.exactOptional(textAttribute),
  due_at: v.exactOptional(textAttribute),
};

const schemas = {
  issued: v.object({ ...issueEntries, state: stateOf('issued'), ...endEntries }),
  completed: v.object({
    ...issueEntries,
    state: stateOf('completed'),
    /** Bytes. */
    size: numberAttribute,
    /** Without quotes. */
    etag: textAttribute,
    /** CRC-64/NVME of the bytes, in base64, as S3 computed it when they arrived. Absent if S3 had none. */
    checksum_crc64nvme: v.exactOptional(textAttribute),
    version_id: textAttribute,
    completed_at: timeAttribute,
    /** IP address that sent the PUT. Absent if the reconciliation recorded the upload. */
    uploaded_from: v.exactOptional(textAttribute),
    ...endEntries,
  }),
  cancelled: v.object({
    ...issueEntries,
    state: stateOf('cancelled'),
    cancelled_at: timeAttribute,
    ...endEntries,
  }),
};

export type IssuedUpload = v.InferOutput<typeof schemas.issued>;
export type CompletedUpload = v.InferOutput<typeof schemas.completed>;
export type CancelledUpload = v.InferOutput<typeof schemas.cancelled>;
export type Upload = IssuedUpload | CompletedUpload | CancelledUpload;

/** Recorded facts of the uploaded bytes. */
export type Completion = Pick<
  CompletedUpload,
  | 'size'
  | 'etag'
  | 'checksum_crc64nvme'
  | 'version_id'
  | 'completed_at'
  | 'uploaded_from'
  | 'announced_at'
  | keyof typeof changeEntries
>;

function stateOf<const State extends string>(state: State) {
  return v.pipe(textAttribute, v.literal(state));
}

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
export function uploadFromItem(item: Item): Upload {
  const { state } = parseStored('upload', stateSchema, item);
  return parseStored('upload', schemas[state], item);
}

/** Reads one upload, consistently. */
export function readUploadRequest(uploadId: string): ItemRead {
  return { Key: uploadKey(uploadId), ConsistentRead: true };
}

/** An upload at its issue. */
export type NewUpload = Omit<IssuedUpload, 'state' | keyof typeof endEntries>;

/**
 * Records an issued upload. It is due some time after its URL expired. The write is unconditional on purpose.
 * The id is new (UUIDv7), so it cannot overwrite an item. If the SDK repeats a write whose response was lost,
 * a condition would report the successful write as rejected.
 *
 * @param deleteAfter time from which the record of an uncompleted upload may be removed; undefined: never
 */
export function putIssued(upload: NewUpload, deleteAfter?: Timestamp): ItemPut {
  return {
    Item: {
      ...textAttributes({
        ...upload,
        state: 'issued',
        list_shard: shardOf(upload.upload_id),
        ...dueAttributes(upload.upload_id, firstCheckAt(upload.expires_at)),
      }),
      ...(deleteAfter === undefined ? {} : { delete_after: timeToLive(deleteAfter) }),
    },
  };
}

/**
 * Completes an upload whose content is the content of the file. No step is left, so the upload is no longer
 * due. The record of current content is kept, so `delete_after` is removed. Rejected if the state is not
 * `issued`, or if the upload was superseded before.
 */
export function updateToCompleted(uploadId: string, completion: Completion): ItemUpdate {
  const set = completionAttributes(completion);
  return itemUpdate(
    uploadKey(uploadId),
    changesOf(set, ['delete_after', 'due_shard', 'due_at']),
    '#state = :issued AND attribute_not_exists(#superseded_at)',
    { ...set, issued: { S: 'issued' } },
  );
}

/**
 * Completes an upload whose content is not the content of the file: later content replaced it, or the file is
 * deleted. The upload becomes due when its content may be deleted. If the upload was superseded before,
 * `superseded_at` stays. Rejected unless the state is `issued`.
 */
export function updateToCompletedAndSuperseded(
  uploadId: string,
  completion: Completion,
  supersededAt: Timestamp,
): ItemUpdate {
  const due = textAttributes(deletionAttributes(uploadId, supersededAt));
  const set = { ...completionAttributes(completion), ...due };
  return itemUpdate(
    uploadKey(uploadId),
    `${changesOf(set)}, #superseded_at = if_not_exists(#superseded_at, :at)`,
    '#state = :issued',
    { ...set, ...textAttributes({ issued: 'issued', at: supersededAt }) },
  );
}

function completionAttributes({ size, ...texts }: Completion): Item {
  return { ...textAttributes({ ...texts, state: 'completed' }), size: { N: String(size) } };
}

/**
 * Cancels an upload. It stays due until its cancellation is announced. If `record-upload` saw the tombstone
 * first and marked the upload, the time of that mark stays. Rejected if the upload is completed or does not
 * exist.
 */
export function updateToCancelled(uploadId: string, cancelledAt: Timestamp): ItemUpdate {
  return itemUpdate(
    uploadKey(uploadId),
    'SET #state = :cancelled, #cancelled_at = if_not_exists(#cancelled_at, :at)',
    '#state IN (:issued, :cancelled)',
    textAttributes({ issued: 'issued', cancelled: 'cancelled', at: cancelledAt }),
  );
}

/**
 * Records that the content of a later upload replaces the content of this upload. The upload becomes due when
 * its content may be deleted. If the upload is due already, that time stays: it must be completed first.
 * Rejected if the upload is superseded already, or does not exist.
 */
export function updateToSuperseded(uploadId: string, supersededAt: Timestamp): ItemUpdate {
  return itemUpdate(
    uploadKey(uploadId),
    'SET #superseded_at = :at, #due_shard = if_not_exists(#due_shard, :due_shard), ' +
      '#due_at = if_not_exists(#due_at, :due_at)',
    'attribute_exists(#upload_id) AND attribute_not_exists(#superseded_at)',
    textAttributes({ at: supersededAt, ...deletionAttributes(uploadId, supersededAt) }),
  );
}

/** Undoes {@link updateToSuperseded}. Rejected if the content or the file was deleted, or there is no such upload. */
export function updateToCurrent(uploadId: string): ItemUpdate {
  return itemUpdate(
    uploadKey(uploadId),
    'REMOVE #superseded_at, #due_shard, #due_at',
    'attribute_exists(#due_at) AND attribute_not_exists(#deleted_at)',
  );
}

/**
 * Marks an upload of a deleted file, and lets DynamoDB remove its record after a time. Its content counts as
 * replaced. A repeated update keeps the first times. Rejected if the upload does not exist.
 *
 * @param keptUntil present `delete_after`, which an undo restores
 */
export function updateToDeletedUpload(
  uploadId: string,
  deletedAt: Timestamp,
  deleteAfter: Timestamp,
  keptUntil?: Timestamp,
): ItemUpdate {
  const kept = keptUntil === undefined ? '' : ', #kept_until = :kept';
  return itemUpdate(
    uploadKey(uploadId),
    'SET #superseded_at = if_not_exists(#superseded_at, :at), #deleted_at = if_not_exists(#deleted_at, :at), ' +
      `#delete_after = :after${kept}`,
    'attribute_exists(#upload_id)',
    { ...textAttributes({ at: deletedAt, kept: keptUntil }), after: timeToLive(deleteAfter) },
  );
}

/**
 * Undoes the deletion of an upload: restores the attributes from before. Rejected if the upload does not exist.
 *
 * @param dueAt time of the next check, for bytes that arrived and were never recorded
 */
export function updateToUndeletedUpload(
  { upload_id: id, superseded_at, deleted_at, kept_until }: Upload | Omit<Upload, 'state'>,
  dueAt?: Timestamp,
): ItemUpdate {
  const set = {
    ...(dueAt !== undefined && textAttributes(dueAttributes(id, dueAt))),
    ...(kept_until !== undefined && { delete_after: timeToLive(kept_until) }),
  };
  // The deletion superseded the upload if both times are the same: one write stores both.
  const superseded = superseded_at === deleted_at ? ['superseded_at'] : [];
  const ended = kept_until === undefined ? ['delete_after'] : [];
  const removed = deleted_at === undefined ? [] : ['deleted_at', 'kept_until', ...superseded, ...ended];
  return itemUpdate(uploadKey(id), changesOf(set, removed), 'attribute_exists(#upload_id)', set);
}

/** Replaces the version id of a copied object. Rejected if the upload has other bytes, or does not exist. */
export function updateToVersion(uploadId: string, etag: string, to: string): ItemUpdate {
  return itemUpdate(
    uploadKey(uploadId),
    'SET #version_id = :to',
    '#etag = :etag',
    textAttributes({ etag, to }),
  );
}
