/**
 * Makes every generated document of the project from its source.
 *
 *     npm run generate [-- --check]
 *
 * With `--check`, writes nothing, names each document that is stale and exits 1 when there is one.
 */
import '../test/support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { documents } from './documents/documents.ts';
import { generate } from './documents/generate.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const problems = await generate(documents, {
  root: new URL('../', import.meta.url),
  check: values.check,
  report: (line) => process.stdout.write(`${line}\n`),
});
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
