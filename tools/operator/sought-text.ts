import { uploadIdOf } from '../../storage/object-key.ts';
import { NotFound, type OperationError } from './errors.ts';
import { requestIdIn } from './requests/request-id.ts';
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
 * The error for an id that does not exist. It leads to a search, unless the id is a secret or cannot be typed.
 *
 * @param what does not exist: `client`
 */
export function notFound(what: string, id: string): OperationError {
  const message = `There is no ${what} ${quoted(id)}.`;
  if (id === '' || !isPrintable(id) || hideSecrets(id) !== id) {
    return new NotFound(message);
  }
  const advice = `${message} It may be the id of something else, or a name.`;
  // Only the id of a request has this sign. Without the sign, the text may also be the id of something else.
  const isRequest = id.endsWith('=') && requestIdIn(id) !== undefined;
  return new NotFound(advice, isRequest ? { noun: 'request', verb: 'show', id } : { do: 'search', text: id });
}
