import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openapiDocument } from '../../../contract/openapi/document.ts';
import { exampleBaseUrl } from '../../../contract/openapi/example-base-url.ts';

/** Package that contains the renderer, as one script without dependencies. */
const rendererPackage = '@scalar/fastify-api-reference';

/**
 * Reads the parts of the reference page from this repository and its packages. `npm run build:tools` embeds
 * the result in the admin tool in place of this module.
 *
 * @throws {Error} if the package contains no script, or a script that cannot be a part of a page
 */
export async function readReferenceParts() {
  const module = createRequire(import.meta.url).resolve(rendererPackage);
  const [text, licence] = await Promise.all([
    readFile(module, 'utf8'),
    readFile(join(dirname(module), '../LICENSE'), 'utf8'),
  ]);
  return { renderer: rendererIn(text), licence, description: openapiDocument(), exampleBaseUrl };
}

function rendererIn(module: string): string {
  const [, literal = '""'] = /^var standalone_default = (".*");$/m.exec(module) ?? [];
  // JSON forbids control characters in strings. JavaScript allows most of them.
  const script = String(
    JSON.parse(literal.replace(/\p{Cc}/gu, (found) => JSON.stringify(found).slice(1, -1))),
  );
  if (!script.includes('createApiReference') || /<\/script/i.test(script)) {
    throw new Error(
      `${rendererPackage} does not contain the script of the reference page in the expected form: adapt ${import.meta.url}.`,
    );
  }
  return script;
}
