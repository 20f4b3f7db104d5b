import '../test/support/quiet-sdk.ts';
import { startLocalContestant, startPeer } from './local/contestants.ts';
import { createLoad, type LoadRequest } from './local/load.ts';
import type { Measured, Measurement } from './measurement.ts';
import { median } from './statistics.ts';

const connections = 16;

/** Long enough for some hundred answers, and short enough that the machine does not change much within a round. */
const secondsPerSample = 2;

/** Before the first sample: the local run starts workers one after another, and their code gets fast. */
const warmUpSeconds = 6;

/** Tokens of the local run against those of a server that keeps everything in its memory. */
export const localTokens: Measurement = {
  id: 'local-tokens-to-oidc-provider',
  what: `local run, tokens per second at ${connections} connections / oidc-provider in memory over HTTP`,
  unit: 'ratio',
  target: 0.7,
  better: 'higher',
  measure: (rounds) => measure(rounds, 'token'),
};

/** Upload URLs of the local run. The peer has no such request: its tokens are the yardstick of the machine. */
export const localSyncs: Measurement = {
  id: 'local-syncs-to-oidc-provider',
  what: `local run, syncs per second at ${connections} connections / tokens of oidc-provider in memory over HTTP`,
  unit: 'ratio',
  // Three times the 0.038 that the same measurement gave before the work on the local run, on a loaded machine.
  target: 0.11,
  better: 'higher',
  measure: (rounds) => measure(rounds, 'sync'),
};

async function measure(rounds: number, name: 'token' | 'sync'): Promise<Measured> {
  const local = await startLocalContestant();
  const peer = await startPeer().catch(async (error) => {
    await local.stop();
    throw error;
  });
  try {
    const { samples, own, others } = await alternate(rounds, local[name], peer.token);
    return {
      samples,
      detail: {
        [`${name}s per second of the local run`]: median(own),
        'tokens per second of oidc-provider': median(others),
      },
    };
  } finally {
    await Promise.all([local.stop(), peer.stop()]);
  }
}

async function alternate(rounds: number, one: LoadRequest, other: LoadRequest) {
  const loads = [createLoad(one, connections), createLoad(other, connections)] as const;
  const [samples, own, others]: [number[], number[], number[]] = [[], [], []];
  for (const load of loads) {
    await load.run(warmUpSeconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    const [mine, theirs] = [await loads[0].run(secondsPerSample), await loads[1].run(secondsPerSample)];
    samples.push(mine / theirs);
    own.push(mine);
    others.push(theirs);
  }
  for (const load of loads) {
    load.close();
  }
  return { samples, own, others };
}
