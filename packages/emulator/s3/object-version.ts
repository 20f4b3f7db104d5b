import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { digestOf } from '../shared/names.ts';

/** One version of an object, or the marker of a deletion. */
export const versionSchema = v.object({
  key: v.string(),
  versionId: v.string(),
  /** Orders the versions of a key: hexadecimal, of fixed length. */
  sequencer: v.string(),
  /** In bytes. */
  size: v.number(),
  /** MD5 of the content in hexadecimal, without quotes. */
  etag: v.string(),
  /** Milliseconds since the epoch. */
  lastModified: v.number(),
  /** CRC-64/NVME of the content in base64. Absent for a delete marker. */
  crc64nvme: v.exactOptional(v.string()),
  deleteMarker: v.boolean(),
  contentType: v.string(),
  /** Other headers stored with the content and returned with it, by lower-case name. */
  headers: v.record(v.string(), v.string()),
  tags: v.record(v.string(), v.string()),
});

export type ObjectVersion = Readonly<v.InferOutput<typeof versionSchema>>;

/** Headers of a response about a delete marker. */
export function markerHeaders({ versionId }: ObjectVersion): Record<string, string> {
  return { 'x-amz-delete-marker': 'true', 'x-amz-version-id': versionId };
}

/** Creates a version ID. Its suffix proves that the emulator created it: S3, too, recognizes foreign IDs. */
export function createVersionId(): string {
  return withEnd(randomBytes(21).toString('base64url').replaceAll('-', '.'));
}

/** Returns true if the text can be the ID of a current or former version. */
export function isVersionId(text: string): boolean {
  return text === 'null' || text === withEnd(text.slice(0, 28));
}

function withEnd(start: string): string {
  return `${start}${digestOf(start, 4)}`;
}

/**
 * Returns the headers for the checksum of a whole object (S3 User Guide, "Checking object integrity for data
 * uploads in Amazon S3"). Checksums that a client sends are not supported.
 */
export function checksumHeaders(crc64nvme = ''): Record<string, string> {
  return { 'x-amz-checksum-crc64nvme': crc64nvme, 'x-amz-checksum-type': 'FULL_OBJECT' };
}

/** Content and description of a new version. */
export interface NewContent {
  /** Path of a durable file with the whole content. The bucket moves the file. */
  readonly path: string;
  readonly size: number;
  readonly etag: string;
  /** Base64. */
  readonly crc64nvme: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}
