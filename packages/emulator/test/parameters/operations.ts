import * as v from 'valibot';
import { readYaml, recordedServices } from '../recordings/recording.ts';

const fieldsSchema = v.optional(v.record(v.string(), v.unknown()), {});

const operationSchema = v.strictObject({
  request: fieldsSchema,
  /** Paths of the members: `Entries.Source` is in each item of the list `Entries`. */
  honours: v.array(v.string()),
  /** Values of members that accept only certain texts. */
  values: fieldsSchema,
  /** Members that the SDK does not send. */
  unsent: v.optional(v.array(v.string()), []),
});

/** Operations of the emulator, by service. */
export const knownOperations = v.parse(
  v.record(v.picklist(recordedServices), v.record(v.string(), operationSchema)),
  readYaml('../parameters/operations'),
);

/** Headers of PutObject that the emulator supports in the query of a presigned URL. */
export const supportedInUploadUrls: readonly string[] = ['If-Match', 'If-None-Match', 'x-amz-tagging'];
