import * as v from 'valibot';
import {
  attributeNames,
  booleanAttribute,
  changeEntries,
  changesOf,
  deletionEntries,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  itemUpdate,
  mapAttribute,
  numberAttribute,
  selectAttributes,
  suspensionEntries,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
  undoEntries,
} from './attributes.ts';
import { type Expected, expectedEntries, expectedIndex, fileKey, periodAttributes } from './file-expected.ts';
import { parseStored } from './stored-data.ts';
import { byCreationIndex, newestAttributes, newestIndex, type TableKeys } from './table.ts';

export const filesTable = {
  partitionKey: 'file_id',
  indexes: [byCreationIndex, newestIndex, expectedIndex],
} as const satisfies TableKeys;

/** Location of the newest content of a file. */
const contentAttribute = mapAttribute({
  upload_id: textAttribute,
  /** Object key. */
  key: textAttribute,
  version_id: textAttribute,
  /** Bytes. */
  size: numberAttribute,
  /** Without quotes. */
  etag: textAttribute,
  /** CRC-64/NVME, in base64. Absent if the upload lacks a checksum. */
  checksum_crc64nvme: v.exactOptional(textAttribute),
  completed_at: timeAttribute,
});

const fileEntries = {
  file_id: textAttribute,
  organisation_id: textAttribute,
  name: textAttribute,
  sync_enabled: booleanAttribute,
  created_at: timeAttribute,
  /** The ARN of the operator who created the item. */
  created_by: v.exactOptional(textAttribute),
  ...changeEntries,
  updated_at: timeAttribute,
  /** Absent until the first upload is complete. */
  content: v.exactOptional(contentAttribute),
  ...expectedEntries,
  ...deletionEntries,
  ...undoEntries,
  ...suspensionEntries,
};

const fileSchema = v.object(fileEntries);

export type File = v.InferOutput<typeof fileSchema>;
export type Content = v.InferOutput<typeof contentAttribute>;

/** Converts a completed upload to content of its file. Leaves out attributes that content does not use. */
export function contentOfUpload(upload: Content): Content {
  const { upload_id, key, version_id, size, etag, checksum_crc64nvme, completed_at } = upload;
  const checksum = checksum_crc64nvme === undefined ? {} : { checksum_crc64nvme };
  return { upload_id, key, version_id, size, etag, ...checksum, completed_at };
}

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
export function fileFromItem(item: Item): File {
  return parseStored('file', fileSchema, item);
}

/** Reads one file, consistently. */
export function readFileRequest(fileId: string): ItemRead {
  return { Key: fileKey(fileId), ConsistentRead: true };
}

const access = selectAttributes('file', {
  organisation_id: fileEntries.organisation_id,
  sync_enabled: fileEntries.sync_enabled,
  deleted_at: fileEntries.deleted_at,
  ...suspensionEntries,
});

/** The attributes that determine whether a caller may sync into a file. */
export type FileAccess = ReturnType<typeof access.parse>;

/**
 * Reads the attributes that determine whether a caller may sync, consistently. A request that starts after syncing
 * was disabled gets no URL.
 */
export function readFileAccessRequest(fileId: string): ItemRead {
  return { ...readFileRequest(fileId), ...access.projection };
}

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
export function fileAccessFromItem(item: Item): FileAccess {
  return access.parse(item);
}

const contentState = selectAttributes('file', {
  file_id: v.exactOptional(textAttribute),
  content: fileEntries.content,
  expected: fileEntries.expected,
  expected_by: fileEntries.expected_by,
  ...deletionEntries,
  undeleted_at: fileEntries.undeleted_at,
});

/** The attributes of a file that recording an upload needs. */
export type FileContent = ReturnType<typeof contentState.parse>;

/** Reads the content of a file, consistently. */
export function readFileContentRequest(fileId: string): ItemRead {
  return { ...readFileRequest(fileId), ...contentState.projection };
}

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
export function fileContentFromItem(item: Item): FileContent {
  return contentState.parse(item);
}

/** A file at its creation. */
export type NewFile = Pick<File, 'file_id' | 'organisation_id' | 'name' | 'sync_enabled' | 'created_at'>;

/** Stores a new file, without content. Rejected if a file with this id exists. */
export function putNewFile({ sync_enabled, ...texts }: NewFile): ItemPut {
  return {
    Item: { ...textAttributes({ ...texts, ...newestAttributes }), sync_enabled: { BOOL: sync_enabled } },
    ConditionExpression: 'attribute_not_exists(#file_id)',
    ExpressionAttributeNames: attributeNames('file_id'),
  };
}

/** Condition: the file exists and is not deleted. */
const existing = 'attribute_exists(#file_id) AND attribute_not_exists(#deleted_at)';

/**
 * Enables or disables syncing. Rejected if the file does not exist or is deleted, or if the setting would not
 * change.
 *
 * @param period attributes of a new period of a watched file
 */
export function updateSyncEnabled(fileId: string, syncEnabled: boolean, period: Item = {}): ItemUpdate {
  const set = { ...period, sync_enabled: { BOOL: syncEnabled } };
  const condition = `${existing} AND #sync_enabled <> :sync_enabled`;
  return itemUpdate(fileKey(fileId), changesOf(set), condition, set);
}

/**
 * Watches a file from now on, with a new period. Rejected if the file does not exist or is deleted.
 *
 * @param expected undefined to end the watch
 */
export function updateExpected(fileId: string, expected: Expected | undefined, now: Timestamp): ItemUpdate {
  const numbers = Object.entries(expected ?? {}).map(([name, value]) => [name, { N: String(value) }]);
  const set = { expected: { M: Object.fromEntries(numbers) }, ...periodAttributes({ expected }, now) };
  return expected === undefined
    ? itemUpdate(fileKey(fileId), changesOf({}, Object.keys(expectedEntries)), existing)
    : itemUpdate(fileKey(fileId), changesOf(set), existing, set);
}

/** Replaces the display name of a file. Rejected if the file does not exist or is deleted. */
export function updateFileName(fileId: string, name: string): ItemUpdate {
  return itemUpdate(fileKey(fileId), 'SET #name = :name', existing, textAttributes({ name }));
}

/**
 * Points a file at new content. First mark the replaced upload. Rejected if the file does not point at the content
 * of `replaced`, or if the file is deleted or does not exist.
 *
 * @param replaced upload of the current content; undefined if the file is empty
 * @param period attributes of a new period of a watched file
 */
export function updateContent(
  fileId: string,
  replaced: string | undefined,
  content: Content,
  period: Item = {},
): ItemUpdate {
  const key = fileKey(fileId);
  const set = { content: contentToAttribute(content), ...period };
  if (replaced === undefined) {
    return itemUpdate(key, changesOf(set), `${existing} AND attribute_not_exists(#content)`, set);
  }
  const condition = '#content.#upload_id = :id AND attribute_not_exists(#deleted_at)';
  return itemUpdate(key, changesOf(set), condition, { ...set, id: { S: replaced } });
}

/** Replaces the version id of copied content. Rejected if the file has other content. */
export function updateContentVersion(fileId: string, uploadId: string, to: string): ItemUpdate {
  const values = textAttributes({ id: uploadId, to });
  return itemUpdate(fileKey(fileId), 'SET #content.#version_id = :to', '#content.#upload_id = :id', values);
}

/** Converts content to DynamoDB's format. */
export function contentToAttribute({ size, ...texts }: Content) {
  return { M: { ...textAttributes(texts), size: { N: String(size) } } };
}
