import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, readBoolean, readNumber, readString, type Timestamp } from './items.ts';

/** Where the newest content of a file is. */
export interface Content {
  readonly upload_id: string;
  readonly key: string;
  readonly version_id: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly completed_at: Timestamp;
}

/** A file as the command line tells of it. */
export interface File {
  readonly file_id: string;
  readonly organisation_id: string;
  readonly name: string;
  readonly sync_enabled: boolean;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  /** Absent until the first upload is complete. */
  readonly content?: Content;
}

/** @throws {Error} when the item was not written by this service */
export function fileFromItem(item: Item): File {
  const content = item.content?.M;
  return {
    file_id: readString(item, 'file_id'),
    organisation_id: readString(item, 'organisation_id'),
    name: readString(item, 'name'),
    sync_enabled: readBoolean(item, 'sync_enabled'),
    created_at: readString(item, 'created_at'),
    updated_at: readString(item, 'updated_at'),
    ...(content !== undefined && { content: contentFromItem(content) }),
  };
}

function contentFromItem(item: Item): Content {
  return {
    upload_id: readString(item, 'upload_id'),
    key: readString(item, 'key'),
    version_id: readString(item, 'version_id'),
    size: readNumber(item, 'size'),
    etag: readString(item, 'etag'),
    completed_at: readString(item, 'completed_at'),
  };
}

/** A file that has no content yet. */
export function fileToItem(file: Omit<File, 'content'>): Record<string, AttributeValue> {
  return {
    file_id: { S: file.file_id },
    organisation_id: { S: file.organisation_id },
    name: { S: file.name },
    sync_enabled: { BOOL: file.sync_enabled },
    created_at: { S: file.created_at },
    updated_at: { S: file.updated_at },
  };
}
