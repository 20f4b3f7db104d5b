import * as v from 'valibot';
import { described, errorDescription, protectedResponses } from './errors.ts';

/**
 * Member `data` of a {@link fileSyncUploadUrlSchema}. It is published under a name of its own, because some
 * generators need one.
 */
export const uploadUrlSchema = v.strictObject({
  upload_url: described(
    v.pipe(v.string(), v.url()),
    'Presigned upload URL, for one file and one use; the signature is embedded in it',
  ),
});

/** docs/api.md 8.2. */
export const fileSyncUploadUrlSchema = v.strictObject({ data: uploadUrlSchema });

/** docs/api.md 11.3. */
export const notFoundSchema = v.strictObject({
  error: v.literal('not_found'),
  error_description: errorDescription,
});

/** docs/api.md 11.4. */
export const syncNotEnabledSchema = v.strictObject({
  error: v.literal('sync_not_enabled'),
  error_description: errorDescription,
});

/** Response bodies of `POST /v0/files/{fileId}/sync`, by status. */
export const syncResponses = {
  200: fileSyncUploadUrlSchema,
  404: notFoundSchema,
  409: syncNotEnabledSchema,
  ...protectedResponses,
} as const;

export type FileSyncUploadUrl = v.InferOutput<typeof fileSyncUploadUrlSchema>;
