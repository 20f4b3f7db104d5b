import * as v from 'valibot';

/**
 * The schema of every body of the contract. The functions check their answers against these schemas, the types are
 * inferred from them, and lambdas/well-known/openapi/ makes the published description from them.
 */

const described = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

const errorDescription = described(v.string(), 'What is wrong, for people');

/** docs/api.md 7.3. */
export const volumeSchema = v.strictObject({
  id: described(v.string(), 'Opaque identifier of the volume'),
  name: described(v.string(), 'Display name'),
});

/** docs/api.md 7.4. */
export const volumeListSchema = v.strictObject({
  data: described(v.array(volumeSchema), 'The volumes that the client can read; currently always empty'),
});

/** What `data` of a {@link fileSyncUploadUrlSchema} holds; published by a name of its own, as some generators need. */
export const uploadUrlSchema = v.strictObject({
  upload_url: described(
    v.pipe(v.string(), v.url()),
    'Presigned upload URL, for one file and one use; the signature is embedded in it',
  ),
});

/** docs/api.md 8.2. */
export const fileSyncUploadUrlSchema = v.strictObject({ data: uploadUrlSchema });

/** docs/api.md 4.1. */
export const tokenSchema = v.object({
  access_token: described(v.string(), 'Signed access token (RFC 9068)'),
  token_type: v.literal('Bearer'),
  expires_in: described(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Lifetime in seconds'),
  scope: described(v.string(), 'Space-separated scopes granted'),
});

/** Codes of RFC 6749 section 5.2 that the token endpoint uses. */
export const tokenErrorCodes = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** docs/api.md 4.8. */
export const tokenErrorSchema = v.object({
  error: v.picklist(tokenErrorCodes),
  error_description: errorDescription,
});

/** docs/api.md 11.1. */
export const unauthorizedSchema = v.object({ message: v.literal('Unauthorized') });

/** docs/api.md 11.2. */
export const insufficientScopeSchema = v.object({
  error: v.literal('insufficient_scope'),
  error_description: described(v.string(), 'Names the scopes that the endpoint requires'),
});

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

/** docs/api.md 11.5. */
export const internalErrorSchema = v.object({
  error: v.literal('internal_error'),
  error_description: errorDescription,
});

/** API Gateway's own answer to more requests than the stage takes; no function sends it. */
export const tooManyRequestsSchema = v.object({ message: v.literal('Too Many Requests') });

/** Bodies that `POST /oauth/token` may answer with, by status. */
export const tokenAnswers = {
  200: tokenSchema,
  400: tokenErrorSchema,
  401: tokenErrorSchema,
  500: internalErrorSchema,
} as const;

const commonAnswers = {
  401: unauthorizedSchema,
  403: insufficientScopeSchema,
  500: internalErrorSchema,
} as const;

/** Bodies that `GET /v0/volumes` may answer with, by status. */
export const volumesAnswers = { 200: volumeListSchema, ...commonAnswers } as const;

/** Bodies that `POST /v0/files/{fileId}/sync` may answer with, by status. */
export const syncAnswers = {
  200: fileSyncUploadUrlSchema,
  404: notFoundSchema,
  409: syncNotEnabledSchema,
  ...commonAnswers,
} as const;

/** Bodies by status of one operation. */
export type Answers = Readonly<Record<number, v.GenericSchema>>;

export type VolumeList = v.InferOutput<typeof volumeListSchema>;
export type FileSyncUploadUrl = v.InferOutput<typeof fileSyncUploadUrlSchema>;
export type Token = v.InferOutput<typeof tokenSchema>;
export type TokenErrorCode = (typeof tokenErrorCodes)[number];
