/**
 * The long form of the rotation soak test; the short form is one of the system tests. A key that is rotated in twice within
 * eleven minutes signs after that time, so the default is long enough to see every key sign.
 *
 *     npm run test:system -- rotation [--minutes 14] [--outage 20]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { printResult } from '../print-result.ts';
import { runRotationSoak } from './rotation-soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '14' },
    outage: { type: 'string', default: '20' },
  },
});

const { failed, ...counts } = await runRotationSoak({
  clients: 8,
  pauseMilliseconds: 250,
  seconds: Number(values.minutes) * 60,
  outageSeconds: Number(values.outage),
  restarts: false,
  report: (line) => process.stdout.write(`${line}\n`),
});
const unproven =
  counts.keysThatSigned < 2 || counts.failedRefreshes === 0 || counts.endedSecrets < 2
    ? ['No rotated key signed, or no cache met the outage: run it for longer.']
    : [];
printResult(counts, [
  ...failed,
  ...unproven,
  ...(counts.notVerified > 0 ? ['A token was not verified.'] : []),
  ...(counts.signedTooSoon > 0 ? ['A key signed while a cached key set could lack it.'] : []),
]);
