import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { bundleSettings } from '../lib/bundle/bundle-function.ts';
import type { RequestKind } from './billed-time/inputs.ts';
import { type ColdContestant, type ColdRuns, withColdRuns } from './cold-runs.ts';
import { functionOf } from './function-events.ts';
import type { Measured, Measurement } from './measurement.ts';
import { median } from './statistics.ts';

const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** The first token of a fresh process against that of bare SDK clients, bundled with and without the credential chain. */
export const coldStartMeasurements: readonly Measurement[] = [
  {
    id: 'cold-token-to-bare-sdk',
    what: 'cold start of `token`, CPU beyond an empty process / two bare SDK clients and jose',
    unit: 'ratio',
    target: 0.75,
    better: 'lower',
    measure: (rounds) => againstPeer('sdk', rounds),
  },
  {
    id: 'cold-token-to-oidc-provider',
    what: 'cold start of `token`, CPU beyond an empty process / oidc-provider 9',
    unit: 'ratio',
    target: 0.25,
    better: 'lower',
    measure: (rounds) => againstPeer('oidc', rounds),
  },
];

/** Each sample is our CPU time divided by that of the peer, both less that of an empty process in the same round. */
function againstPeer(peer: keyof typeof peers, rounds: number): Promise<Measured> {
  return withColdRuns(async (runs) => {
    const ours = await ownFunction(runs, 'token');
    const theirs = await peers[peer](runs);
    const beyond = await beyondEmpty([ours, theirs], rounds, runs);
    const [own = [], other = []] = beyond;
    return {
      samples: own.map((value, round) => value / (other[round] ?? Number.NaN)),
      detail: {
        [`${ours.name}, ms of CPU`]: median(own),
        [`${theirs.name}, ms of CPU`]: median(other),
      },
    };
  });
}

/** The peers, bundled as esbuild's documentation and the SDK's suggest, with the default credential chain of the SDK. */
export const peers = {
  sdk: async (runs: ColdRuns): Promise<ColdContestant> => ({
    name: 'bare SDK clients',
    bundle: await runs.bundle(peerSettings('bench/cold/peers/sdk.ts')),
    event: await runs.eventOf('token'),
  }),
  oidc: async (runs: ColdRuns): Promise<ColdContestant> => ({
    name: 'oidc-provider 9',
    bundle: await runs.bundle(peerSettings('bench/cold/peers/oidc.ts')),
    event: await runs.eventOf('token'),
  }),
};

function peerSettings(entry: string): BuildOptions {
  return {
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    // Packages of oidc-provider are CommonJS, and load the modules of Node.js with `require`.
    ...(entry.endsWith('oidc.ts') && { banner: { js: dynamicRequire } }),
  };
}

const dynamicRequire =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** A function of ours, bundled as it is deployed. */
export async function ownFunction(runs: ColdRuns, kind: RequestKind): Promise<ColdContestant> {
  const name = functionOf[kind];
  const bundle = await runs.bundle(bundleSettings(join('lambdas', name, 'handler.ts')));
  return { name, bundle, event: await runs.eventOf(kind) };
}

/**
 * Starts all contestants and an empty process in turn, once in each round.
 *
 * @returns for each contestant its CPU time in milliseconds, less that of the empty process in the same round
 */
export async function beyondEmpty(
  contestants: readonly ColdContestant[],
  rounds: number,
  { sample, empty }: ColdRuns,
): Promise<readonly (readonly number[])[]> {
  const samples = contestants.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    const nothing = await sample(empty);
    for (const [index, contestant] of contestants.entries()) {
      const value = (await sample(contestant)) - nothing;
      // Round -1 fills the file system's cache and is not counted.
      if (round >= 0) {
        samples[index]?.push(value);
      }
    }
  }
  return samples;
}
