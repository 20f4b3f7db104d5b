/**
 * The long form of the soak test; the short form is one of the system tests.
 *
 *     npm run test:system -- uploads [--uploads 1000] [--clients 16] [--files 24] [--kills 5] [--seed N]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { printResult } from '../print-result.ts';
import { runUploadsSoak } from './uploads-soak.ts';

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '16' },
    files: { type: 'string', default: '24' },
    kills: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

process.stdout.write(`seed ${values.seed}\n`);
const { violations, ...counts } = await runUploadsSoak({
  uploads: Number(values.uploads),
  clients: Number(values.clients),
  files: Number(values.files),
  kills: Number(values.kills),
  largestUpload: 1024 * 1024,
  abandonedShare: 0.1,
  doubledShare: 0.01,
  droppedShare: 0.01,
  seed: Number(values.seed),
  report: (line) => process.stdout.write(`${line}\n`),
});
printResult(counts, violations);
