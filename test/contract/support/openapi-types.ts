import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The committed types. */
export const openApiTypesPath = fileURLToPath(new URL('../openapi-types.ts', import.meta.url));

/** TypeScript types of a description, as `npx openapi-typescript` writes them. */
export async function typesOf(document: object): Promise<string> {
  const heading = '// Generated from the API description by openapi-typescript. Changes are made there.\n\n';
  return heading + astToString(await openapiTypescript(document as OpenAPI3));
}
