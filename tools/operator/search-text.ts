import { uploadIdOf } from '../../storage/object-key.ts';
import { NotFound, type OperationError } from './errors.ts';
import { hideSecrets, isPrintable, quoted } from './text.ts';

/**
 * Returns the text to search for, without the spaces and quotation marks that people copy with an id.
 * Converts the key of an object, its `s3://` URI or its URL to the id of the upload.
 */
export function searchTextOf(entered: string): string {
  const text = entered.replace(/^[\s"'`]+|[\s"'`]+$/g, '');
  const [, key = ''] = /^(?:(?:s3|https?):\/\/[^?#]+\/|\/)?(uploads\/[^/?#]+)(?:[?#].*)?$/.exec(text) ?? [];
  return uploadIdOf(key) ?? text;
}

/**
 * Returns the error for an id that does not exist. Suggests a search, unless the id is a secret or cannot be
 * typed.
 *
 * @param what noun of the missing entity: `client`
 */
export function notFound(what: string, id: string): OperationError {
  const message = `There is no ${what} ${quoted(id)}.`;
  if (id === '' || !isPrintable(id) || hideSecrets(id) !== id) {
    return new NotFound(message);
  }
  return new NotFound(`${message} It may be the id of something else, or a name.`, {
    do: 'search',
    text: id,
  });
}
