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
  readonly deleteMarker: boolean;
  readonly contentType: string;
  /** From `x-amz-meta-*`, by the name after that prefix. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** The content and the description of a new version. */
export interface NewContent {
  /** File with the whole content, which is durable. The file is moved to its place in the bucket. */
  readonly path: string;
  readonly size: number;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}
