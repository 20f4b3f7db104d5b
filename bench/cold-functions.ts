/**
 * How much CPU time each function takes from the start of a fresh process to its first answer, beyond an empty process.
 *
 *     npm run bench -- cold-functions [--rounds 15]
 */
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { withColdRuns } from './cold-runs.ts';
import { beyondEmpty, ownFunction, peers } from './cold-start.ts';
import { median } from './statistics.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });

/** One kind of event for each function. */
const measuredKinds = ['token', 'volumes', 'sync', 'documents', 'content'] as const;

await withColdRuns(async (runs) => {
  const contestants = [await peers.sdk(runs), await peers.oidc(runs)];
  for (const kind of measuredKinds) {
    contestants.push(await ownFunction(runs, kind));
  }
  const samples = await beyondEmpty(contestants, Number(values.rounds), runs);
  process.stdout.write('CPU time to the first answer of a fresh process, beyond an empty one (median)\n');
  for (const [index, { name, bundle }] of contestants.entries()) {
    const kibibytes = ((await stat(bundle)).size / 1024).toFixed(0).padStart(5);
    const milliseconds = median(samples[index] ?? [])
      .toFixed(1)
      .padStart(6);
    process.stdout.write(`  ${name.padEnd(18)} ${kibibytes} KiB ${milliseconds} ms\n`);
  }
});
