import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findTests, renderConformance } from './support/conformance-table.ts';

/**
 * Writes docs/conformance.md from the clauses and the test titles; with `--check`, fails when it is stale instead:
 *
 *     node --import tsx test/contract/conformance.ts [--check]
 */
const path = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));
const table = renderConformance(await findTests());
if (!process.argv.includes('--check')) {
  await writeFile(path, table);
} else if ((await readFile(path, 'utf8')) !== table) {
  process.stderr.write('docs/conformance.md is stale: run node --import tsx test/contract/conformance.ts\n');
  process.exitCode = 1;
}
