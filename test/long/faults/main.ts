/**
 * The long form of the faults test: every service of AWS with every fault, under load. The short form runs in
 * `npm test`.
 *
 *     npm run test:long -- faults [--clients 8] [--rounds 3]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { faultKinds, faultyServices } from '../../../emulator/endpoint/faults.ts';
import { runFaultsSoak } from './faults-soak.ts';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
});

const { violations, ...counts } = await runFaultsSoak({
  cases: faultyServices.flatMap((service) => faultKinds.map((fault) => ({ service, fault }))),
  clients: Number(values.clients),
  rounds: Number(values.rounds),
  report: (line) => process.stdout.write(`${line}\n`),
});
for (const [name, count] of Object.entries(counts)) process.stdout.write(`${name}: ${count}\n`);
process.stdout.write(`violations: ${violations.length}\n`);
for (const violation of violations) process.stdout.write(`  ${violation}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
