import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { digestOf } from '../shared/names.ts';

/** The checksum of an object that S3 stores: the checksum that came with the object, or else one that S3 computes. */
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
  /** Other headers that came with the content and are given with it, by lower-case name. */
  headers: v.optional(v.record(v.string(), v.string()), {}),
  tags: v.record(v.string(), v.string()),
});

export type ObjectVersion = Readonly<v.InferOutput<typeof versionSchema>>;

export type Checksum = Readonly<v.InferOutput<typeof checksumSchema>>;

/** Headers of a response about a delete marker. */
export function markerHeaders({ versionId }: ObjectVersion): Record<string, string> {
  return { 'x-amz-delete-marker': 'true', 'x-amz-version-id': versionId };
}

/** A new version ID. The end shows that the ID was made here, because S3 knows the IDs that it did not make. */
export function createVersionId(): string {
  return withEnd(randomBytes(21).toString('base64url').replaceAll('-', '.'));
}

/** Whether a version can have or have had this ID. */
export function isVersionId(text: string): boolean {
  return text === 'null' || text === withEnd(text.slice(0, 28));
}

function withEnd(start: string): string {
  return `${start}${digestOf(start, 4)}`;
}

/** Headers that give a checksum. The checksum of an object in one part covers the whole object. */
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

/** The content and the description of a new version. */
export interface NewContent {
  /** File with the whole content, durable. The bucket takes the file, and moves it. */
  readonly path: string;
  readonly size: number;
  readonly etag: string;
  readonly checksum: Checksum;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}
