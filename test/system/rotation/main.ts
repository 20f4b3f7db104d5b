/**
 * The long form of the rotation soak test; the short form is one of the system tests. A key that is rotated in twice within
 * eleven minutes signs after that time, so the default is long enough to see every key sign.
 *
 *     npm run test:system -- rotation [--minutes 14] [--outage 20]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { runRotationSoak, startSoakedRun } from './rotation-soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '14' },
    outage: { type: 'string', default: '20' },
  },
});

const { failed, ...counts } = await runRotationSoak({
  start: startSoakedRun,
  clients: 8,
  pauseMilliseconds: 250,
  seconds: Number(values.minutes) * 60,
  outageSeconds: Number(values.outage),
  report: (line) => process.stdout.write(`${line}\n`),
});
for (const [name, count] of Object.entries(counts)) {
  process.stdout.write(`${name}: ${count}\n`);
}
process.stdout.write(`failed: ${failed.length}\n`);
for (const failure of new Set(failed)) {
  process.stdout.write(`  ${failure}\n`);
}
const provesNothing =
  counts.keysThatSigned < 2 ||
  counts.failedRefreshes === 0 ||
  counts.endedSecrets < counts.clientSecretRotations;
if (provesNothing) {
  process.stdout.write('No rotated key signed, or no cache met the outage: run it for longer.\n');
}
const held = failed.length === 0 && counts.notVerified === 0 && counts.signedTooSoon === 0;
process.exitCode = held && !provesNothing ? 0 : 1;
