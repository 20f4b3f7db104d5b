/**
 * Makes every generated document of the project from its source.
 *
 *     npm run generate [-- --check]
 *
 * With `--check`, writes nothing, names each document that is stale and exits 1 when there is one.
 */
import '../../test/support/quiet-sdk.ts';
import { documents } from './documents.ts';
import { runGenerate } from './generate.ts';

process.exitCode = await runGenerate(documents, process.argv.slice(2), {
  root: new URL('../../', import.meta.url),
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
});
