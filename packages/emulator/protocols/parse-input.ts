import * as v from 'valibot';
import { AwsError, unsupported } from '../shared/errors.ts';

/**
 * Checks the input of an operation.
 *
 * @param schema all parameters of the operation: a strict object rejects any other parameter by name.
 * Messages of `v.check` are used unchanged: they are in the words of AWS
 * @param code error code for an invalid value, as the service names it
 * @throws {AwsError} naming each invalid parameter, or 501 naming the first unsupported one
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
  const unknown = parsed.issues.find(({ expected }) => expected === 'never');
  if (unknown !== undefined) {
    throw unsupportedParameter(String(v.getDotPath(unknown)));
  }
  const message = parsed.issues.find(({ type }) => type === 'check')?.message;
  // valibot's own message quotes the input, which can be a secret.
  const wrong = parsed.issues.map((issue) => {
    const { expected, message } = issue;
    return `${v.getDotPath(issue)}: ${expected === null ? message : `expected ${expected}`}`;
  });
  throw new AwsError(400, code, message ?? `Invalid parameters: ${wrong.join('; ')}`);
}

/** Creates the error for a parameter that only AWS supports. Ignoring it would differ from AWS silently. */
export function unsupportedParameter(name: string): AwsError {
  return unsupported(`the parameter ${name}`);
}
