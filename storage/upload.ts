import * as v from 'valibot';
import {
  attributeNames,
  booleanAttribute,
  deletionEntries,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  numberAttribute,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeToLive,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import type { TableKeys } from './table.ts';
import { dueAttributes, dueIndex } from './upload-due.ts';

/**
 * What the indexes for lists hold besides keys: only attributes that never change. So an upload is written to each of them
 * once, when it is issued. Whoever lists uploads reads the rest from the table.
 */
const fixedAttributes = ['client_id', 'issued_at', 'expires_at'] as const;

/** Upload ids sort in the order of issue, so the first two indexes list uploads in that order. */
export const uploadsTable = {
  partitionKey: 'upload_id',
  indexes: [
    { name: 'by-file', partitionKey: 'file_id', sortKey: 'upload_id', attributes: fixedAttributes },
    {
      name: 'by-organisation',
      partitionKey: 'organisation_id',
      sortKey: 'upload_id',
      attributes: fixedAttributes,
    },
    dueIndex,
  ],
} as const satisfies TableKeys;

/** The stored states of an upload. */
export const storedUploadStates = ['issued', 'completed', 'cancelled'] as const;

const stateSchema = v.object({ state: v.pipe(textAttribute, v.picklist(storedUploadStates)) });

/** Attributes of every upload, in the order in which the command line shows them. */
const issueEntries = {
  upload_id: textAttribute,
  file_id: textAttribute,
  organisation_id: textAttribute,
  client_id: textAttribute,
  key: textAttribute,
  issued_at: textAttribute,
  expires_at: textAttribute,
  /** API Gateway's id of the request that the URL was issued to. Absent in uploads of older versions. */
  request_id: v.exactOptional(textAttribute),
};

/** What an upload of every state may have. */
const endEntries = {
  /** When nobody had used the URL after it expired. A slow PUT may end later, so a completed upload may have it too. */
  expired_at: v.exactOptional(textAttribute),
  /**
   * When a later upload's content replaced this one's. After a crash, an upload can be superseded before it is completed.
   * Uploads of a deleted file are superseded and deleted.
   */
  superseded_at: v.exactOptional(textAttribute),
  ...deletionEntries,
  /** When it is looked at, and the partition of the index `due`. Absent when it is settled, and in old items. */
  due_shard: v.exactOptional(textAttribute),
  due_at: v.exactOptional(textAttribute),
  /** Its event was sent, and it is completed but not settled yet. What is settled was announced as well. */
  announced: v.exactOptional(booleanAttribute),
};

const issuedSchema = v.object({ ...issueEntries, state: stateOf('issued'), ...endEntries });

const completedSchema = v.object({
  ...issueEntries,
  state: stateOf('completed'),
  /** Bytes. */
  size: numberAttribute,
  /** Without quotes. */
  etag: textAttribute,
  /**
   * CRC-64/NVME of the bytes, in base64, as S3 computed it when they arrived. Absent if S3 had none, and in items of
   * versions before this attribute.
   */
  checksum_crc64nvme: v.exactOptional(textAttribute),
  version_id: textAttribute,
  completed_at: textAttribute,
  ...endEntries,
});

const cancelledSchema = v.object({
  ...issueEntries,
  state: stateOf('cancelled'),
  cancelled_at: textAttribute,
  ...endEntries,
});

export type IssuedUpload = v.InferOutput<typeof issuedSchema>;
export type CompletedUpload = v.InferOutput<typeof completedSchema>;
export type CancelledUpload = v.InferOutput<typeof cancelledSchema>;
export type Upload = IssuedUpload | CompletedUpload | CancelledUpload;

/** What is recorded of the uploaded bytes. */
export type Completion = Pick<
  CompletedUpload,
  'size' | 'etag' | 'checksum_crc64nvme' | 'version_id' | 'completed_at'
>;

function stateOf<const State extends (typeof storedUploadStates)[number]>(state: State) {
  return v.pipe(textAttribute, v.literal(state));
}

/** @throws {StoredDataError} when the item is not as storage/README.md says */
export function uploadFromItem(item: Item): Upload {
  const { state } = parseStored('upload', stateSchema, item);
  switch (state) {
    case 'issued':
      return parseStored('upload', issuedSchema, item);
    case 'completed':
      return parseStored('upload', completedSchema, item);
    case 'cancelled':
      return parseStored('upload', cancelledSchema, item);
  }
}

/** Reads one upload, consistently. */
export function readUpload(uploadId: string): ItemRead {
  return { Key: uploadKey(uploadId), ConsistentRead: true };
}

/** An upload as it is issued. */
export type NewUpload = Omit<IssuedUpload, 'state' | keyof typeof endEntries>;

/**
 * Records an issued upload, which is due some time after its URL has expired. It has no condition on purpose. The id is new (UUIDv7), so no item can be overwritten. And
 * when the SDK repeats a write whose answer was lost, a condition would report the successful write as refused.
 *
 * @param deleteAfter when the record of an upload that is never completed may go; undefined: never
 */
export function putIssued(upload: NewUpload, deleteAfter?: Timestamp): ItemPut {
  return {
    Item: {
      ...textAttributes({
        ...upload,
        state: 'issued',
        ...dueAttributes(upload.upload_id, upload.expires_at),
      }),
      ...(deleteAfter === undefined ? {} : { delete_after: timeToLive(deleteAfter) }),
    },
  };
}

/**
 * Whether completing an upload settles it. `open`: something is left to do for its file, and the upload stays due until
 * {@link updateToSettled} in storage/upload-due.ts. It is marked as announced, so that a repeated event does not announce it
 * again.
 */
export type Settling = 'settled' | 'open';

/**
 * Completes an upload. Its record stays as long as it is the content of a file, so it loses its end. Refused unless its
 * state is `issued`, and when it was superseded before.
 */
export function updateToCompleted(
  uploadId: string,
  completion: Completion,
  settling: Settling = 'settled',
): ItemUpdate {
  const update = completing(uploadId, completion, settling, ['delete_after']);
  return {
    ...update,
    ConditionExpression: '#state = :issued AND attribute_not_exists(#superseded_at)',
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...attributeNames('superseded_at') },
  };
}

/** Completes an upload that was superseded before, and leaves its end. Refused unless its state is `issued`. */
export function updateSupersededToCompleted(
  uploadId: string,
  completion: Completion,
  settling: Settling = 'settled',
): ItemUpdate {
  const update = completing(uploadId, completion, settling, []);
  return { ...update, ConditionExpression: '#state = :issued' };
}

function completing(
  uploadId: string,
  completion: Completion,
  settling: Settling,
  removedBesides: readonly string[],
) {
  const removed = [...removedBesides, ...(settling === 'settled' ? ['due_shard', 'due_at'] : [])];
  const announced = settling === 'open' ? announcedEntry : noEntry;
  const { size, etag, checksum_crc64nvme, version_id, completed_at } = completion;
  const checksum = optionalText('checksum_crc64nvme', checksum_crc64nvme);
  const remove = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
  return {
    Key: uploadKey(uploadId),
    UpdateExpression:
      'SET #state = :completed, #size = :size, #etag = :etag, #version_id = :version, ' +
      `#completed_at = :at${checksum.assignment}${announced.assignment}${remove}`,
    ExpressionAttributeNames: {
      ...attributeNames('state', 'size', 'etag', 'version_id', 'completed_at', ...removed),
      ...checksum.names,
      ...announced.names,
    },
    ExpressionAttributeValues: {
      ...checksum.values,
      ...announced.values,
      ':issued': { S: 'issued' },
      ':completed': { S: 'completed' },
      ':size': { N: String(size) },
      ':etag': { S: etag },
      ':version': { S: version_id },
      ':at': { S: completed_at },
    },
  };
}

const noEntry = { assignment: '', names: {}, values: {} };

const announcedEntry = {
  assignment: ', #announced = :yes',
  names: attributeNames('announced'),
  values: { ':yes': { BOOL: true } },
};

/** A further assignment of SET, or nothing when there is no text. */
function optionalText(name: string, text: string | undefined) {
  return text === undefined
    ? noEntry
    : {
        assignment: `, #${name} = :${name}`,
        names: attributeNames(name),
        values: { [`:${name}`]: { S: text } },
      };
}

/** Cancels an upload. It stays due, because its cancellation has to be announced. Refused unless its state is `issued`. */
export function updateToCancelled(uploadId: string, cancelledAt: Timestamp): ItemUpdate {
  return {
    Key: uploadKey(uploadId),
    UpdateExpression: 'SET #state = :cancelled, #cancelled_at = :at',
    ConditionExpression: '#state = :issued',
    ExpressionAttributeNames: attributeNames('state', 'cancelled_at'),
    ExpressionAttributeValues: {
      ':issued': { S: 'issued' },
      ':cancelled': { S: 'cancelled' },
      ':at': { S: cancelledAt },
    },
  };
}

/**
 * Records that a later upload's content replaced this one's. Refused when that is already recorded.
 *
 * @param deleteAfter when the record may go; undefined: never
 */
export function updateToSuperseded(
  uploadId: string,
  supersededAt: Timestamp,
  deleteAfter?: Timestamp,
): ItemUpdate {
  const ends = deleteAfter !== undefined;
  return {
    Key: uploadKey(uploadId),
    UpdateExpression: `SET #superseded_at = :at${ends ? ', #delete_after = :after' : ''}`,
    ConditionExpression: 'attribute_exists(#upload_id) AND attribute_not_exists(#superseded_at)',
    ExpressionAttributeNames: attributeNames('upload_id', 'superseded_at', ...(ends ? ['delete_after'] : [])),
    ExpressionAttributeValues: {
      ':at': { S: supersededAt },
      ...(ends ? { ':after': timeToLive(deleteAfter) } : {}),
    },
  };
}

/**
 * Marks an upload of a deleted file, and lets DynamoDB remove its record after a time. Its content counts as replaced. A
 * repeated update keeps the first times. Refused when there is no such upload.
 */
export function updateToDeletedUpload(
  uploadId: string,
  deletedAt: Timestamp,
  deleteAfter: Timestamp,
): ItemUpdate {
  return {
    Key: uploadKey(uploadId),
    UpdateExpression:
      'SET #superseded_at = if_not_exists(#superseded_at, :at), #deleted_at = if_not_exists(#deleted_at, :at), ' +
      '#delete_after = :after',
    ConditionExpression: 'attribute_exists(#upload_id)',
    ExpressionAttributeNames: attributeNames('upload_id', 'superseded_at', 'deleted_at', 'delete_after'),
    ExpressionAttributeValues: { ':at': { S: deletedAt }, ':after': timeToLive(deleteAfter) },
  };
}

function uploadKey(uploadId: string): Item {
  return { upload_id: { S: uploadId } };
}
