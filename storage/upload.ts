import * as v from 'valibot';
import {
  attributeNames,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  numberAttribute,
  type Timestamp,
  textAttribute,
  textAttributes,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import type { TableKeys } from './table.ts';

/**
 * What the indexes of uploads hold besides keys: only attributes that never change. So an upload is written to each index
 * once, when it is issued. Whoever lists uploads reads the rest from the table.
 */
const fixedAttributes = ['client_id', 'issued_at', 'expires_at'] as const;

/** Upload ids sort in the order of issue, so both indexes list uploads in that order. */
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
};

/**
 * When a later upload's content replaced this one's. Uploads of every state may have it: after a crash, an upload can be
 * superseded before it is completed.
 */
const supersededEntry = { superseded_at: v.exactOptional(textAttribute) };

const issuedSchema = v.object({ ...issueEntries, state: stateOf('issued'), ...supersededEntry });

const completedSchema = v.object({
  ...issueEntries,
  state: stateOf('completed'),
  /** Bytes. */
  size: numberAttribute,
  /** Without quotes. */
  etag: textAttribute,
  version_id: textAttribute,
  completed_at: textAttribute,
  ...supersededEntry,
});

const cancelledSchema = v.object({
  ...issueEntries,
  state: stateOf('cancelled'),
  cancelled_at: textAttribute,
  ...supersededEntry,
});

export type IssuedUpload = v.InferOutput<typeof issuedSchema>;
export type CompletedUpload = v.InferOutput<typeof completedSchema>;
export type CancelledUpload = v.InferOutput<typeof cancelledSchema>;
export type Upload = IssuedUpload | CompletedUpload | CancelledUpload;

/** What is recorded of the uploaded bytes. */
export type Completion = Pick<CompletedUpload, 'size' | 'etag' | 'version_id' | 'completed_at'>;

function stateOf<const State extends (typeof storedUploadStates)[number]>(state: State) {
  return v.pipe(textAttribute, v.literal(state));
}

/** @throws {StoredDataError} when the item is not as docs/storage.md says */
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

/**
 * Records an issued upload. It has no condition on purpose. The id is new (UUIDv7), so no item can be overwritten. And
 * when the SDK repeats a write whose answer was lost, a condition would report the successful write as refused.
 */
export function putIssued(upload: Omit<IssuedUpload, 'state' | 'superseded_at'>): ItemPut {
  return { Item: textAttributes({ ...upload, state: 'issued' }) };
}

/** Completes an upload. Refused unless its state is `issued`. */
export function updateToCompleted(
  uploadId: string,
  { size, etag, version_id, completed_at }: Completion,
): ItemUpdate {
  return {
    Key: uploadKey(uploadId),
    UpdateExpression:
      'SET #state = :completed, #size = :size, #etag = :etag, #version_id = :version, #completed_at = :at',
    ConditionExpression: '#state = :issued',
    ExpressionAttributeNames: attributeNames('state', 'size', 'etag', 'version_id', 'completed_at'),
    ExpressionAttributeValues: {
      ':issued': { S: 'issued' },
      ':completed': { S: 'completed' },
      ':size': { N: String(size) },
      ':etag': { S: etag },
      ':version': { S: version_id },
      ':at': { S: completed_at },
    },
  };
}

/** Cancels an upload. Refused unless its state is `issued`. */
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

/** Records that a later upload's content replaced this one's. Refused when that is already recorded. */
export function updateToSuperseded(uploadId: string, supersededAt: Timestamp): ItemUpdate {
  return {
    Key: uploadKey(uploadId),
    UpdateExpression: 'SET #superseded_at = :at',
    ConditionExpression: 'attribute_exists(#upload_id) AND attribute_not_exists(#superseded_at)',
    ExpressionAttributeNames: attributeNames('upload_id', 'superseded_at'),
    ExpressionAttributeValues: { ':at': { S: supersededAt } },
  };
}

function uploadKey(uploadId: string): Item {
  return { upload_id: { S: uploadId } };
}
