import { readFile, writeFile } from 'node:fs/promises';
import { openApiTypesPath, typesOf } from './support/openapi-types.ts';

/**
 * Writes `openapi-types.ts` from the published description, for the typed client of the suite:
 *
 *     node --import tsx test/contract/openapi-types.generate.ts
 */
const description = new URL('../../lambdas/well-known/openapi.json', import.meta.url);
await writeFile(openApiTypesPath, await typesOf(JSON.parse(await readFile(description, 'utf8'))));
