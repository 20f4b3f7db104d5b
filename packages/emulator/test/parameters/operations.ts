import * as v from 'valibot';
import { readYaml, recordedServices } from '../recordings/recording.ts';

/** Names of members. A structure contains its members; a list or a map contains the members of its items. */
type Names = readonly (string | Readonly<Record<string, Names>>)[];

const namesSchema: v.GenericSchema<Names> = v.array(
  v.union([
    v.string(),
    v.record(
      v.string(),
      v.lazy(() => namesSchema),
    ),
  ]),
);

const fieldsSchema = v.optional(v.record(v.string(), v.unknown()), {});

const operationSchema = v.strictObject({
  request: fieldsSchema,
  /** Paths of the members: `Entries.Source` is in each item of the list `Entries`. */
  honours: v.pipe(namesSchema, v.transform(pathsOf)),
  /** Values of members that accept only certain texts. */
  values: fieldsSchema,
  /** Members that the SDK does not send. */
  unsent: v.optional(v.array(v.string()), []),
});

function pathsOf(names: Names): readonly string[] {
  return names.flatMap((name) =>
    typeof name === 'string' ? name : Object.entries(name).flatMap(pathsWithin),
  );
}

function pathsWithin([name, within]: readonly [string, Names]): readonly string[] {
  return [name, ...pathsOf(within).map((path) => `${name}.${path}`)];
}

/** Operations of the emulator, by service. */
export const knownOperations = v.parse(
  v.record(v.picklist(recordedServices), v.record(v.string(), operationSchema)),
  readYaml('../parameters/operations'),
);

/** Headers of PutObject that the emulator supports in the query of a presigned URL. */
export const supportedInUploadUrls: readonly string[] = ['If-Match', 'If-None-Match', 'x-amz-tagging'];
