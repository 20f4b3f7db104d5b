import * as v from 'valibot';

/** Stored data does not match docs/stored-items.md. The message names the wrong members, never their values. */
export class StoredDataError extends Error {
  override readonly name = 'StoredDataError';
}

/**
 * Checks stored data against its schema.
 *
 * @param what name of the data in messages, for example `client`
 * @throws {StoredDataError} naming every wrong member
 */
export function parseStored<Schema extends v.GenericSchema>(
  what: string,
  schema: Schema,
  data: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, data);
  if (!result.success) {
    const places = result.issues.map((issue) => v.getDotPath(issue) ?? '(whole)');
    throw new StoredDataError(`The stored ${what} is not as expected at: ${places.join(', ')}`);
  }
  return result.output;
}
