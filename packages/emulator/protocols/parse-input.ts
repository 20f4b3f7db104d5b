import * as v from 'valibot';
import { AwsError } from '../shared/errors.ts';

/**
 * Checks the input of an operation.
 *
 * @param code code of the error, as the service names it
 * @throws {AwsError} naming each parameter that is wrong or not supported
 */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  code: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) {
    return parsed.output;
  }
  // valibot's own message quotes the input, which can be a secret.
  const wrong = parsed.issues.map((issue) => {
    const { expected, message } = issue;
    return `${v.getDotPath(issue)}: ${expected === null ? message : `expected ${expected}`}`;
  });
  throw new AwsError(400, code, `Invalid or unsupported parameters: ${wrong.join('; ')}`);
}
