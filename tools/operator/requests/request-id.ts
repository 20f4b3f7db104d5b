import { InvalidInput } from '../errors.ts';
import { quoted } from '../text.ts';

/**
 * Returns the id of a request, if the text is in the format of API Gateway: `JKJaXmPLvHcESHA=`. The `=` may
 * be missing, because a double click does not select it.
 */
export function requestIdIn(text: string): string | undefined {
  return /^[\w+/-]{15}=?$/.test(text) ? text.padEnd(16, '=') : undefined;
}

/**
 * Parses the id of a request.
 *
 * @throws {OperationError} when the text is not a request id
 */
export function parseRequestId(text: string): string {
  const id = requestIdIn(text);
  if (id === undefined) {
    const message = `${quoted(text)} is not a request id: copy the header apigw-requestid of the response.`;
    throw new InvalidInput(message);
  }
  return id;
}
