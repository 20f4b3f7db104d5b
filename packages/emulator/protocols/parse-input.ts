import * as v from 'valibot';
import { AwsError, unsupported } from '../shared/errors.ts';

/**
 * Checks the input of an operation.
 *
 * @param schema which parameters there are: a strict object rejects every other one by name. What `v.check` says is said
 *   as it is: in the words of AWS
 * @param code code of the error for a wrong value, as the service names it
 * @throws {AwsError} naming each parameter that is wrong, or 501 naming the first one that is not supported
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
  const said = parsed.issues.find(({ type }) => type === 'check')?.message;
  // valibot's own message quotes the input, which can be a secret.
  const wrong = parsed.issues.map((issue) => {
    const { expected, message } = issue;
    return `${v.getDotPath(issue)}: ${expected === null ? message : `expected ${expected}`}`;
  });
  throw new AwsError(400, code, said ?? `Invalid parameters: ${wrong.join('; ')}`);
}

/** For a parameter that AWS knows: acting without the parameter would differ from AWS in silence. */
export function unsupportedParameter(name: string): AwsError {
  return unsupported(`the parameter ${name}`);
}
