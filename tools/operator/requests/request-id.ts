import { InvalidInput } from '../errors.ts';
import { quoted } from '../text.ts';

/**
 * The id of a request, if the text is one as API Gateway makes them: `JKJaXmPLvHcESHA=`. People lose the `=`, because a
 * double click does not select it.
 */
export function requestIdIn(text: string): string | undefined {
  return /^[\w+/-]{15}=?$/.test(text) ? text.padEnd(16, '=') : undefined;
}

/** @throws {OperationError} when the text is no request id */
export function parseRequestId(text: string): string {
  const id = requestIdIn(text);
  if (id === undefined) {
    const message = `${quoted(text)} is not a request id: copy the header apigw-requestid of the response.`;
    throw new InvalidInput(message);
  }
  return id;
}
