/**
 * Measures the CPU time of each function, cold and warm, and compares it with bare SDK clients. `--help` lists
 * the options.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startAwsStub } from './aws-stub.ts';
import { bundleIn, peerNames, writeFunctions, writePeers } from './bundles.ts';
import { type Contestant, type Lab, measureCold, measureWarm } from './measure.ts';
import { type Comparison, report } from './report.ts';
import { createSetting, eventKinds } from './setting.ts';

const coldComparisons: readonly Comparison[] = [{ ours: 'token', peer: 'token-sdk', atMost: 0.85 }];

const warmComparisons: readonly Comparison[] = [
  { ours: 'token', peer: 'token-sdk', atMost: 1.1 },
  { ours: 'sync', peer: 'sync-sdk', atMost: 0.95 },
];

const { rounds } = new Command('npm run bench --')
  .description('Compare the CPU time of each function, cold and warm, with bare SDK clients.')
  .option('--rounds <count>', 'measure this many rounds', Number, 15)
  .parse()
  .opts<{ readonly rounds: number }>();

process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
  const setting = createSetting();
  const aws = await startAwsStub(setting);
  try {
    await Promise.all([writeFunctions(folder), writePeers(folder)]);
    const environment = { ...setting.environment, AWS_ENDPOINT_URL: aws.url };
    const lab: Lab = { setting, environment, folder, rounds };
    const contestants = [...eventKinds, ...peerNames].map((name) => contestant(name, folder));
    const warm = await measureWarm(contestants, lab);
    const cold = await measureCold(contestants, lab);
    const holds = [
      report('CPU time of a request to a warm function', warm, warmComparisons),
      report(
        'CPU time of a process up to its first response, less that of an empty one',
        cold,
        coldComparisons,
      ),
    ];
    return holds.every(Boolean);
  } finally {
    aws.stop();
    await rm(folder, { recursive: true });
  }
}

/** @param name name of a function, or of a peer, which begins with the name of the function */
function contestant(name: string, folder: string): Contestant {
  const kind = eventKinds.find((it) => name.startsWith(it)) ?? 'token';
  return { name, kind, bundle: bundleIn(folder, name) };
}
