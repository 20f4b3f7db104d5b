/**
 * What a request costs in AWS: a model of CPU time, network waits, memory sizes and prices.
 *
 *     npm run bench -- billed-time              prints the tables of docs/scale.md, from the committed inputs
 *     npm run bench -- billed-time --measure    takes the inputs again, and writes bench/billed-time/measured.json.
 *                                               Then run `npm run generate`. It takes some minutes
 *     npm run bench -- billed-time --measure token sync      takes some of them again
 *
 * Prices are in bench/billed-time/prices.ts, each with its source and date.
 */
import '../../../test/support/quiet-sdk.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type MeasuredInputs, requestKinds } from '../inputs.ts';
import { measureKinds } from './measure.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { measure: { type: 'boolean', default: false } },
});

if (values.measure) {
  const file = new URL('../measured.json', import.meta.url);
  const chosen = requestKinds.filter((kind) => positionals.length === 0 || positionals.includes(kind));
  const earlier = await readFile(file, 'utf8').catch(() => '{}');
  const measured = await measureKinds(chosen, JSON.parse(earlier) as Partial<MeasuredInputs>, (line) =>
    process.stdout.write(`${line}\n`),
  );
  await writeFile(file, `${JSON.stringify(measured, null, 2)}\n`);
} else {
  // Loaded only now: a measurement must not depend on the inputs that it replaces.
  const { scaleTables } = await import('../tables.ts');
  for (const [name, table] of Object.entries(scaleTables())) {
    process.stdout.write(`${name}\n${table}\n\n`);
  }
}
