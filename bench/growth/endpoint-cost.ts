import { cpuMicroseconds } from '../process-usage.ts';
import { median } from '../statistics.ts';
import { endpointNames, type Service } from './service.ts';

/** What one request costs in a small and in a large deployment. */
export interface EndpointCost {
  readonly name: string;
  /** CPU time of the serving process in microseconds, median of the rounds. */
  readonly small: number;
  readonly large: number;
  /** Large to small, median of the ratios within each round. */
  readonly ratio: number;
}

export interface CostOptions {
  readonly rounds: number;
  readonly requests: number;
}

/** A warm round is not counted: V8 compiles, and caches fill. */
const warmRounds = 5;

/** For so many requests of an endpoint, one upload is recorded. */
const recordingShare = 15;

/** A run without requests uses less CPU time than this in one second. */
const maximumIdleMicroseconds = 20_000;

/** It is idle when it was so for so many seconds, one after another. */
const idleSecondsInTurn = 5;

/** Measures each endpoint, and the recording of an upload, in turns of the two services. */
export async function measureEndpoints(
  small: Service,
  large: Service,
  { rounds, requests }: CostOptions,
): Promise<readonly EndpointCost[]> {
  const costs: EndpointCost[] = [];
  await Promise.all([untilIdle(small.run.pid), untilIdle(large.run.pid)]);
  for (const name of endpointNames) {
    const batch = (service: Service) => repeat(requests, service.endpoints[name]);
    costs.push(await compareBatches(name, { small, large, rounds, requests, batch }));
  }
  // One costs as much as many requests.
  const recordings = Math.ceil(requests / recordingShare);
  const batch = (service: Service) => service.recordUploads(recordings);
  const sizes = { rounds, requests: recordings };
  costs.push(await compareBatches('sync, PUT and recording', { small, large, batch, ...sizes }));
  return costs;
}

interface Batches extends CostOptions {
  readonly small: Service;
  readonly large: Service;
  readonly batch: (service: Service) => Promise<void>;
}

async function compareBatches(name: string, batches: Batches): Promise<EndpointCost> {
  const { small, large, rounds, requests, batch } = batches;
  const samples: { readonly small: number; readonly large: number }[] = [];
  for (let round = -warmRounds; round < rounds; round += 1) {
    // Who comes first alternates, so that neither always has what the other left in the caches of the machine.
    const smallFirst = round % 2 === 0;
    const first = await cpuOf(smallFirst ? small : large, batch);
    const second = await cpuOf(smallFirst ? large : small, batch);
    if (round >= 0) {
      samples.push(smallFirst ? { small: first, large: second } : { small: second, large: first });
    }
  }
  return {
    name,
    small: median(samples.map((sample) => sample.small)) / requests,
    large: median(samples.map((sample) => sample.large)) / requests,
    ratio: median(samples.map((sample) => sample.large / sample.small)),
  };
}

/**
 * A store that was just filled puts itself in order in the background, and the run looks through all items for those whose
 * time is over: minutes for a million. That must not count as the cost of requests. On a busy machine the process may get
 * no CPU time for a second, so one idle second is not enough.
 */
async function untilIdle(pid: number): Promise<void> {
  const second = 1000;
  for (let idleSeconds = 0; idleSeconds < idleSecondsInTurn; ) {
    const before = await cpuMicroseconds(pid);
    await new Promise((resolve) => setTimeout(resolve, second));
    const used = (await cpuMicroseconds(pid)) - before;
    idleSeconds = used <= maximumIdleMicroseconds ? idleSeconds + 1 : 0;
  }
}

async function cpuOf(service: Service, batch: (service: Service) => Promise<void>): Promise<number> {
  const before = await cpuMicroseconds(service.run.pid);
  await batch(service);
  return (await cpuMicroseconds(service.run.pid)) - before;
}

async function repeat(count: number, send: () => Promise<void>): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await send();
  }
}
