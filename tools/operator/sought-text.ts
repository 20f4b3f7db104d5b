import { uploadIdOf } from '../../storage/object-key.ts';
import type { NextStep } from './description/next-step.ts';
import { OperationError } from './errors.ts';
import { hideSecrets, isPrintable, quoted } from './text.ts';

/**
 * What to search for. People copy ids with spaces and quotation marks around them. The key of an object, its `s3://` URI
 * and its URL stand for the upload.
 */
export function soughtText(entered: string): string {
  const text = entered.replace(/^[\s"'`]+|[\s"'`]+$/g, '');
  const [, key = ''] = /^(?:(?:s3|https?):\/\/[^?#]+\/|\/)?(uploads\/[^/?#]+)(?:[?#].*)?$/.exec(text) ?? [];
  return uploadIdOf(key) ?? text;
}

/**
 * The step for a text that may be the id of a request, in the form of API Gateway. People lose the `=` at the end: a double
 * click does not select it.
 */
export function requestStep(text: string): NextStep | undefined {
  return /^[\w-]{15}=?$/.test(text) ? { noun: 'upload', verb: 'list', asked: { request: text } } : undefined;
}

/**
 * The error for an id that does not exist. It leads to a search, unless the id is a secret or cannot be typed.
 *
 * @param what does not exist: `client`
 */
export function notFound(what: string, id: string): OperationError {
  const message = `There is no ${what} ${quoted(id)}.`;
  if (id === '' || !isPrintable(id) || hideSecrets(id) !== id) {
    return new OperationError('not found', message);
  }
  const advice = `${message} It may be the id of something else, or a name.`;
  // Only the id of a request has this sign. Without the sign, the text may also be the id of something else.
  const step = id.endsWith('=') ? requestStep(id) : undefined;
  return new OperationError('not found', advice, step ?? { do: 'search', text: id });
}
