/**
 * The CPU time of each function, cold and warm, beside bare SDK clients and oidc-provider:
 *
 *     npm run bench [-- --rounds 15 --requests 300]
 *     npm run bench -- --write FOLDER      writes the bundles of the functions, and measures nothing
 *     npm run bench -- --before FOLDER     measures such bundles of another commit in the same run
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startAwsStub } from './aws-stub.ts';
import { bundleIn, type measuredFunctions, type peerNames, writeFunctions, writePeers } from './bundles.ts';
import { type Contestant, type Lab, measureCold, measureWarm } from './measure.ts';
import { type Comparison, report } from './report.ts';
import { createSetting, type EventKind } from './setting.ts';

type Measured = (typeof measuredFunctions)[number] | (typeof peerNames)[number];

const kinds: Readonly<Record<Measured, EventKind>> = {
  token: 'token',
  'token-sdk': 'token',
  'token-oidc': 'token',
  volumes: 'volumes',
  'volumes-sdk': 'volumes',
  sync: 'sync',
  'sync-sdk': 'sync',
  'well-known': 'documents',
};

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

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '300' },
    write: { type: 'string' },
    before: { type: 'string' },
  },
});

if (values.write === undefined) {
  process.exitCode = (await run()) ? 0 : 1;
} else {
  await writeFunctions(resolve(values.write));
}

async function run(): Promise<boolean> {
  const { before } = values;
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
  const setting = await createSetting();
  const aws = await startAwsStub(setting);
  try {
    await Promise.all([writeFunctions(folder), writePeers(folder)]);
    const environment = { ...setting.environment, AWS_ENDPOINT_URL: aws.url };
    const [rounds, requests] = [Number(values.rounds), Number(values.requests)];
    const lab: Lab = { setting, environment, folder, rounds, requests };
    const all = Object.entries(kinds).flatMap(([name, kind]) => contestants(name, kind, folder, before));
    const compared = (comparisons: readonly Comparison[]) => withBefore(comparisons, before);
    const isWarm = ({ kind }: Contestant) => kind === 'token' || kind === 'volumes' || kind === 'sync';
    const print = (line: string) => process.stdout.write(`${line}\n`);
    const warm = await measureWarm(all.filter(isWarm), lab);
    const holds = [
      report('CPU time of a request to a warm function', 'µs', warm, compared(warmComparisons), print),
    ];
    const cold = await measureCold(all, lab);
    const title = 'CPU time from the start of a process to its first answer, less that of an empty one';
    holds.push(report(title, 'ms', cold, compared(coldComparisons), print));
    return holds.every(Boolean);
  } finally {
    aws.stop();
    await rm(folder, { recursive: true });
  }
}

/** Functions also come from the folder of another commit. */
function contestants(
  name: string,
  kind: EventKind,
  folder: string,
  before: string | undefined,
): readonly Contestant[] {
  const own = { name, kind, bundle: bundleIn(folder, name) };
  const isPeer = /-(sdk|oidc)$/.test(name);
  return before === undefined || isPeer
    ? [own]
    : [own, { name: `${name} before`, kind, bundle: bundleIn(resolve(before), name) }];
}

/** The same ratios for the other commit, without targets, and those of both commits. */
function withBefore(comparisons: readonly Comparison[], before: string | undefined): readonly Comparison[] {
  if (before === undefined) {
    return comparisons;
  }
  const functions = [...new Set(comparisons.map(({ ours }) => ours))];
  return [
    ...comparisons,
    ...comparisons.map(({ ours, peer }) => ({ ours: `${ours} before`, peer })),
    ...functions.map((ours) => ({ ours, peer: `${ours} before` })),
  ];
}
