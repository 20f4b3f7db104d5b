import * as v from 'valibot';

/**
 * This folder has the schema of every body of the contract. The functions check their answers against these schemas,
 * the types are inferred from them, and lambdas/well-known/openapi/ makes the published description from them. Each
 * function has a file of its own, so a bundle holds only the schemas that its function needs.
 */

export const described = <const Schema extends v.GenericSchema>(schema: Schema, description: string) =>
  v.pipe(schema, v.description(description));

export const errorDescription = described(v.string(), 'What is wrong, for people');

/** docs/api.md 11.1. */
export const unauthorizedSchema = v.object({ message: v.literal('Unauthorized') });

/** docs/api.md 11.2. */
export const insufficientScopeSchema = v.object({
  error: v.literal('insufficient_scope'),
  error_description: described(v.string(), 'Names the scopes that the endpoint requires'),
});

/** docs/api.md 11.5. */
export const internalErrorSchema = v.object({
  error: v.literal('internal_error'),
  error_description: errorDescription,
});

/** Bodies by status of one operation. */
export type ResponseSchemas = Readonly<Record<number, v.GenericSchema>>;

/** Errors of every route that needs an access token, by status. */
export const protectedResponses = {
  401: unauthorizedSchema,
  403: insufficientScopeSchema,
  500: internalErrorSchema,
} as const;
