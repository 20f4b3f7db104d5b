import { uuidV7Pattern } from './uuid-v7.ts';

/** Prefix of the object keys of all uploads. */
export const objectKeyPrefix = 'uploads/';

/** Returns the key of the object that stores the bytes of an upload. */
export function objectKeyOf(uploadId: string): string {
  return objectKeyPrefix + uploadId;
}

/** @returns id of the upload with this object key; undefined if the key cannot belong to an upload */
export function uploadIdOf(objectKey: string): string | undefined {
  const uploadId = objectKey.slice(objectKeyPrefix.length);
  return objectKey.startsWith(objectKeyPrefix) && uuidV7Pattern.test(uploadId) ? uploadId : undefined;
}
