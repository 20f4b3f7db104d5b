/** One version of an object, or the marker of a deletion. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
  /** Orders the versions of a key: hexadecimal, of fixed length. */
  readonly sequencer: string;
  /** In bytes. */
  readonly size: number;
  /** MD5 of the content in hexadecimal, without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  /** Absent for a delete marker, and for an object that an older version of the emulator stored. */
  readonly checksum?: Checksum;
  readonly deleteMarker: boolean;
  readonly contentType: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The checksum of an object that S3 stores: the checksum that came with the object, or else one that S3 computes. */
export interface Checksum {
  readonly algorithm: 'CRC32' | 'CRC64NVME';
  /** Base64. */
  readonly value: string;
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
  readonly tags: Readonly<Record<string, string>>;
}
