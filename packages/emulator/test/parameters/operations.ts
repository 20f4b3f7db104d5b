import { type RecordedService, readYaml } from '../recordings/recording.ts';

interface KnownOperation {
  readonly request?: Readonly<Record<string, unknown>>;
  /** Paths of the members: `Entries.Source` is in each item of the list `Entries`. */
  readonly honours: readonly string[];
  /** Values of members that accept only certain texts. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Members that the SDK does not send. */
  readonly unsent?: readonly string[];
}

/** Operations of the emulator, by service. */
export const knownOperations = readYaml('../parameters/operations') as Readonly<
  Record<RecordedService, Readonly<Record<string, KnownOperation>>>
>;

/** Headers of PutObject that the emulator supports in the query of a presigned URL. */
export const supportedInUploadUrls: readonly string[] = ['If-None-Match', 'x-amz-tagging'];
