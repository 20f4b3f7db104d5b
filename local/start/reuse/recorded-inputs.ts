/** Tells the recorder where to write. */
export const recordedInputsVariable = 'FILE_SYNC_RECORDED_INPUTS';

/** What one synthesis read. */
export interface RecordedInputs {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** How many bundles esbuild made. */
  readonly bundles: number;
}
