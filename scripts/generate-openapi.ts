import { readFileSync, writeFileSync } from 'node:fs';
import { openapiDocument } from './openapi/document.ts';

/**
 * Writes lambdas/well-known/openapi.json from the schemas that check the answers. With `--check`, writes nothing and
 * fails when the file is stale.
 */
const path = new URL('../lambdas/well-known/openapi.json', import.meta.url);
const generated = `${JSON.stringify(openapiDocument(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(path, generated);
} else if (readFileSync(path, 'utf8') !== generated) {
  process.stderr.write('lambdas/well-known/openapi.json is stale: run npm run generate\n');
  process.exitCode = 1;
}
