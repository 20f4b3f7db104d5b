/** The CPU time of each function, cold and warm, beside bare SDK clients and oidc-provider. `--help` has the options. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { startAwsStub } from './aws-stub.ts';
import { bundleIn, peerNames, writeFunctions, writePeers } from './bundles.ts';
import { type Contestant, type Lab, measureCold, measureWarm } from './measure.ts';
import { type Comparison, report } from './report.ts';
import { createSetting, eventKinds } from './setting.ts';

const coldComparisons: readonly Comparison[] = [
  { ours: 'token', peer: 'token-sdk', atMost: 0.85 },
  { ours: 'token', peer: 'token-oidc', atMost: 0.33 },
  { ours: 'volumes', peer: 'volumes-sdk' },
  { ours: 'sync', peer: 'sync-sdk' },
];

const warmComparisons: readonly Comparison[] = [
  { ours: 'token', peer: 'token-sdk', atMost: 1.1 },
  { ours: 'token', peer: 'token-oidc', atMost: 0.65 },
  { ours: 'volumes', peer: 'volumes-sdk', atMost: 0.35 },
  { ours: 'sync', peer: 'sync-sdk', atMost: 0.95 },
];

interface Flags {
  readonly rounds: number;
  readonly requests: number;
  readonly write?: string;
  readonly before?: string;
}

const values = new Command('npm run bench --')
  .description(
    'Compare the CPU time of each function, cold and warm, with bare SDK clients and oidc-provider.',
  )
  .option('--rounds <count>', 'measure this many rounds', parseCount, 15)
  .option('--requests <count>', 'send this many warm requests a round', parseCount, 300)
  .option('--write <folder>', 'write the bundles of the functions, and measure nothing')
  .option('--before <folder>', 'also measure the bundles of another commit in this folder')
  .parse()
  .opts<Flags>();

if (values.write === undefined) {
  process.exitCode = (await run()) ? 0 : 1;
} else {
  await writeFunctions(resolve(values.write));
}

async function run(): Promise<boolean> {
  const before = values.before && resolve(values.before);
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
  const setting = await createSetting();
  const aws = await startAwsStub(setting);
  try {
    await Promise.all([writeFunctions(folder), writePeers(folder)]);
    const environment = { ...setting.environment, AWS_ENDPOINT_URL: aws.url };
    const { rounds, requests } = values;
    const lab: Lab = { setting, environment, folder, rounds, requests };
    const contestants = [
      ...[...eventKinds, ...peerNames].map((name) => contestant(name, folder)),
      ...(before === undefined ? [] : eventKinds.map((name) => contestant(name, before, ' before'))),
    ];
    const warm = await measureWarm(contestants, lab);
    const cold = await measureCold(contestants, lab);
    const coldTitle =
      'CPU time from the start of a process to its first answer, less the time of an empty one';
    const holds = [
      report('CPU time of a request to a warm function', 'µs', warm, withBefore(warmComparisons, before)),
      report(coldTitle, 'ms', cold, withBefore(coldComparisons, before)),
    ];
    return holds.every(Boolean);
  } finally {
    aws.stop();
    await rm(folder, { recursive: true });
  }
}

function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  }
  return Number(text);
}

/** @param name of a function, or of a peer, whose name begins with the name of the function */
function contestant(name: string, folder: string, suffix = ''): Contestant {
  const kind = eventKinds.find((it) => name.startsWith(it)) ?? 'token';
  return { name: `${name}${suffix}`, kind, bundle: bundleIn(folder, name) };
}

/** Adds the same ratios for the other commit, without targets, and the ratio of each function between the commits. */
function withBefore(comparisons: readonly Comparison[], before: string | undefined): readonly Comparison[] {
  return before === undefined
    ? comparisons
    : [
        ...comparisons,
        ...comparisons.map(({ ours, peer }) => ({ ours: `${ours} before`, peer })),
        ...eventKinds.map((ours) => ({ ours, peer: `${ours} before` })),
      ];
}
