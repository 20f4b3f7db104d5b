import * as v from 'valibot';

/**
 * This folder contains the schema of every body of the contract. The functions check their responses against
 * these schemas, the types are inferred from them, and contract/openapi/ creates the published
 * description from them. Each function imports its own file, so a bundle contains only the schemas that its
 * function needs.
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

/** Response bodies of one operation, by status. */
export type ResponseSchemas = Readonly<Record<number, v.GenericSchema>>;

/** Errors of every route that requires an access token, by status. */
export const protectedResponses = {
  401: unauthorizedSchema,
  403: insufficientScopeSchema,
  500: internalErrorSchema,
} as const;
