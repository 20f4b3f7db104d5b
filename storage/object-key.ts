import { uuidV7Pattern } from './uuid-v7.ts';

/** Prefix of the object keys of all uploads. */
export const objectKeyPrefix = 'uploads/';

/** Key of the object that holds the bytes of an upload. */
export function objectKeyOf(uploadId: string): string {
  return objectKeyPrefix + uploadId;
}

/** @returns the id of the upload whose object has this key; undefined when no upload can have this key */
export function uploadIdOf(objectKey: string): string | undefined {
  const uploadId = objectKey.slice(objectKeyPrefix.length);
  return objectKey.startsWith(objectKeyPrefix) && uuidV7Pattern.test(uploadId) ? uploadId : undefined;
}
