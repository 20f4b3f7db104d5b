import * as v from 'valibot';

/** Tags say who pays: nothing here acts on them. */
export const tagsSchema = v.union([
  v.array(v.strictObject({ Key: v.string(), Value: v.string() })),
  v.record(v.string(), v.string()),
]);
