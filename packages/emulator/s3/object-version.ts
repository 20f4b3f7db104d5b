import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { digestOf } from '../shared/names.ts';

/** Stored checksum of an object: sent by the client, or else computed by S3. */
const checksumSchema = v.object({
  algorithm: v.picklist(['CRC32', 'CRC64NVME']),
  /** Base64. */
  value: v.string(),
});

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
  /** Absent for a delete marker. */
  checksum: v.exactOptional(checksumSchema),
  deleteMarker: v.boolean(),
  contentType: v.string(),
  /** Other headers stored with the content and returned with it, by lower-case name. */
  headers: v.record(v.string(), v.string()),
  tags: v.record(v.string(), v.string()),
});

export type ObjectVersion = Readonly<v.InferOutput<typeof versionSchema>>;

export type Checksum = Readonly<v.InferOutput<typeof checksumSchema>>;

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

/** Headers for a checksum. The checksum of an object in one part covers the whole object. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (checksum === undefined) {
    return {};
  }
  const { algorithm, value } = checksum;
  return {
    [`x-amz-checksum-${algorithm.toLowerCase()}`]: value,
    'x-amz-checksum-type': 'FULL_OBJECT',
  };
}

/** Content and description of a new version. */
export interface NewContent {
  /** Path of a durable file with the whole content. The bucket moves the file. */
  readonly path: string;
  readonly size: number;
  readonly etag: string;
  readonly checksum: Checksum;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}
