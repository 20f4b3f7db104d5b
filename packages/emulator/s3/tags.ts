import { AwsError } from '../shared/errors.ts';
import { invalidArgument } from './errors.ts';
import type { ObjectVersion } from './object-version.ts';

/**
 * Reads tags in the form of `x-amz-tagging`, which is a query string.
 *
 * @throws {AwsError} InvalidArgument or InvalidTag, as S3 does
 */
export function parseTagQuery(text: string | undefined): ObjectVersion['tags'] {
  if (text === undefined) {
    return {};
  }
  const entries = [...new URLSearchParams(text).entries()];
  if (new Set(entries.map(([key]) => key)).size !== entries.length) {
    const reason =
      "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag " +
      'name duplicates.';
    throw invalidArgument(reason, 'x-amz-tagging', text);
  }
  return checkTags(Object.fromEntries(entries));
}

/** @throws {AwsError} for tags that exceed S3's limits ("Categorizing your objects using tags") */
export function checkTags(tags: ObjectVersion['tags']): ObjectVersion['tags'] {
  const entries = Object.entries(tags);
  if (entries.length > 10) {
    throw new AwsError(400, 'BadRequest', 'Object tags cannot be greater than 10');
  }
  for (const [key, value] of entries) {
    if (key.length === 0 || key.length > 128) {
      throw new AwsError(400, 'InvalidTag', 'The TagKey you have provided is invalid', { TagKey: key });
    }
    if (/^aws:/i.test(key)) {
      throw new AwsError(400, 'InvalidTag', 'Your TagKey cannot be prefixed with aws:', { TagKey: key });
    }
    if (value.length > 256) {
      const details = { TagKey: key, TagValue: value };
      throw new AwsError(400, 'InvalidTag', 'The TagValue you have provided is invalid', details);
    }
  }
  return tags;
}
