import { uuidV7Pattern } from './uuid-v7.ts';

/** What the object keys of all uploads start with. */
export const objectKeyPrefix = 'uploads/';

/** Key of the object that takes the bytes of an upload. */
export function objectKeyOf(uploadId: string): string {
  return objectKeyPrefix + uploadId;
}

/** @returns the upload whose object has this key; undefined when no upload can have it */
export function uploadIdOf(objectKey: string): string | undefined {
  const uploadId = objectKey.startsWith(objectKeyPrefix)
    ? objectKey.slice(objectKeyPrefix.length)
    : undefined;
  return uploadId !== undefined && uuidV7Pattern.test(uploadId) ? uploadId : undefined;
}
