import * as v from 'valibot';
import {
  attributeNames,
  booleanAttribute,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  listAttribute,
  mapAttribute,
  numberAttribute,
  selectAttributes,
  type Timestamp,
  textAttribute,
  textAttributes,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import type { TableKeys } from './table.ts';

export const filesTable = {
  partitionKey: 'file_id',
  indexes: [{ name: 'by-organisation', partitionKey: 'organisation_id', sortKey: 'file_id' }],
} as const satisfies TableKeys;

/** Where the newest content of a file is. */
const contentAttribute = mapAttribute({
  upload_id: textAttribute,
  /** Object key. */
  key: textAttribute,
  version_id: textAttribute,
  /** Bytes. */
  size: numberAttribute,
  /** Without quotes. */
  etag: textAttribute,
  completed_at: textAttribute,
});

const fileEntries = {
  file_id: textAttribute,
  organisation_id: textAttribute,
  name: textAttribute,
  sync_enabled: booleanAttribute,
  created_at: textAttribute,
  updated_at: textAttribute,
  /** Absent until the first upload is complete. */
  content: v.exactOptional(contentAttribute),
  /** Outbox: replaced uploads whose objects do not have a tombstone yet, oldest first. */
  superseded: v.exactOptional(listAttribute(textAttribute)),
};

const fileSchema = v.object(fileEntries);

export type File = v.InferOutput<typeof fileSchema>;
export type Content = v.InferOutput<typeof contentAttribute>;

/** @throws {StoredDataError} when the item is not as docs/storage.md says */
export function fileFromItem(item: Item): File {
  return parseStored('file', fileSchema, item);
}

/** Reads one file, consistently. */
export function readFile(fileId: string): ItemRead {
  return { Key: fileKey(fileId), ConsistentRead: true };
}

const access = selectAttributes('file', {
  organisation_id: fileEntries.organisation_id,
  sync_enabled: fileEntries.sync_enabled,
});

/** The attributes that decide whether a caller may sync into a file. */
export type FileAccess = Pick<File, 'organisation_id' | 'sync_enabled'>;

/** Reads who may sync into a file, consistently. A request that starts after syncing was disabled gets no URL. */
export function readFileAccess(fileId: string): ItemRead {
  return { ...readFile(fileId), ...access.projection };
}

/** @throws {StoredDataError} when the item is not as docs/storage.md says */
export function fileAccessFromItem(item: Item): FileAccess {
  return access.parse(item);
}

const contentState = selectAttributes('file', {
  content: fileEntries.content,
  superseded: fileEntries.superseded,
});

/** The attributes of a file that recording an upload needs. */
export type FileContent = Pick<File, 'content' | 'superseded'>;

/** Reads the content and the list `superseded` of a file, consistently. */
export function readFileContent(fileId: string): ItemRead {
  return { ...readFile(fileId), ...contentState.projection };
}

/** @throws {StoredDataError} when the item is not as docs/storage.md says */
export function fileContentFromItem(item: Item): FileContent {
  return contentState.parse(item);
}

/** Stores a new file, without content. Refused when there already is a file with this id. */
export function putNewFile({ sync_enabled, ...texts }: Omit<File, 'content' | 'superseded'>): ItemPut {
  return {
    Item: { ...textAttributes(texts), sync_enabled: { BOOL: sync_enabled } },
    ConditionExpression: 'attribute_not_exists(#file_id)',
    ExpressionAttributeNames: attributeNames('file_id'),
  };
}

/** Enables or disables syncing. Refused when there is no such file, or when nothing would change. */
export function updateSyncEnabled(fileId: string, syncEnabled: boolean, updatedAt: Timestamp): ItemUpdate {
  return {
    Key: fileKey(fileId),
    UpdateExpression: 'SET #sync_enabled = :to, #updated_at = :at',
    ConditionExpression: 'attribute_exists(#file_id) AND #sync_enabled <> :to',
    ExpressionAttributeNames: attributeNames('file_id', 'sync_enabled', 'updated_at'),
    ExpressionAttributeValues: { ':to': { BOOL: syncEnabled }, ':at': { S: updatedAt } },
  };
}

/** Replaces the display name of a file. Refused when there is no such file. */
export function updateFileName(fileId: string, name: string, updatedAt: Timestamp): ItemUpdate {
  return {
    Key: fileKey(fileId),
    UpdateExpression: 'SET #name = :name, #updated_at = :at',
    ConditionExpression: 'attribute_exists(#file_id)',
    ExpressionAttributeNames: attributeNames('file_id', 'name', 'updated_at'),
    ExpressionAttributeValues: { ':name': { S: name }, ':at': { S: updatedAt } },
  };
}

/**
 * Points a file at new content, and adds the upload that it replaces to the list `superseded`. Refused when the file
 * does not have the content of `replaced`, or when there is no such file.
 *
 * @param replaced the upload whose content the file has now; undefined when it has none
 */
export function updateContent(fileId: string, replaced: string | undefined, content: Content): ItemUpdate {
  const update = replaced === undefined ? firstContent(content) : laterContent(replaced, content);
  return { Key: fileKey(fileId), ...update };
}

function firstContent(content: Content) {
  return {
    UpdateExpression: 'SET #content = :content',
    ConditionExpression: 'attribute_exists(#file_id) AND attribute_not_exists(#content)',
    ExpressionAttributeNames: attributeNames('file_id', 'content'),
    ExpressionAttributeValues: { ':content': contentToAttribute(content) },
  };
}

function laterContent(replaced: string, content: Content) {
  return {
    UpdateExpression:
      'SET #content = :content, #superseded = list_append(if_not_exists(#superseded, :none), :replaced)',
    ConditionExpression: '#content.#upload_id = :id',
    ExpressionAttributeNames: attributeNames('content', 'superseded', 'upload_id'),
    ExpressionAttributeValues: {
      ':content': contentToAttribute(content),
      ':none': { L: [] },
      ':replaced': { L: [{ S: replaced }] },
      ':id': { S: replaced },
    },
  };
}

function contentToAttribute({ size, ...texts }: Content) {
  return { M: { ...textAttributes(texts), size: { N: String(size) } } };
}

/** Removes the first upload from the list `superseded`. Refused when `uploadId` is not the first. */
export function updateShiftSuperseded(fileId: string, uploadId: string): ItemUpdate {
  return {
    Key: fileKey(fileId),
    UpdateExpression: 'REMOVE #superseded[0]',
    ConditionExpression: '#superseded[0] = :id',
    ExpressionAttributeNames: attributeNames('superseded'),
    ExpressionAttributeValues: { ':id': { S: uploadId } },
  };
}

function fileKey(fileId: string): Item {
  return { file_id: { S: fileId } };
}
