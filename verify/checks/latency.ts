import { judge } from '../world/outcome.ts';
import { ask } from '../world/reach.ts';
import type { World } from '../world/world.ts';
import type { Check, CheckOutcome } from './check.ts';

const burst = 5;
const warmRequests = 20;

/** Milliseconds of the requests to one route. */
interface Timings {
  readonly first: number;
  readonly slowestOfBurst: number;
  readonly p50: number;
  readonly p95: number;
}

/**
 * Measures from outside. What a function takes to start is not shown to a client: the first request, and several at the
 * same time, are what makes Lambda start execution environments.
 */
export const latency: Check = {
  name: 'latency',
  does: `time ${1 + burst + warmRequests} requests to each of token, volumes and sync`,
  look: measure,
};

async function measure(world: World): Promise<CheckOutcome> {
  let bearer = '';
  const requests = {
    token: async () => {
      bearer = await world.token();
    },
    volumes: async () => {
      const headers = { authorization: `Bearer ${bearer}` };
      const { status } = await ask(world, { method: 'GET', path: '/v0/volumes', headers });
      if (status !== 200) {
        throw new Error(`GET /v0/volumes answered ${status}.`);
      }
    },
    sync: async () => void (await world.issue()),
  };
  const rows: string[] = [];
  const medians: string[] = [];
  for (const [route, request] of Object.entries(requests)) {
    const { first, slowestOfBurst, p50, p95 } = await timings(request);
    rows.push(`| ${route} | ${first} ms | ${slowestOfBurst} ms | ${p50} ms | ${p95} ms |`);
    medians.push(`${route} ${p50} and ${p95} ms`);
  }
  return {
    ...judge(true, `Warm p50 and p95: ${medians.join(', ')}.`),
    details: [
      `The first request and the slowest of ${burst} at the same time can be cold starts: Lambda starts an environment for`,
      `each that finds none free. p50 and p95 are of ${warmRequests} requests one after the other, network included.`,
      '',
      `| Route | First request | Slowest of ${burst} at the same time | Warm p50 | Warm p95 |`,
      '|---|---|---|---|---|',
      ...rows,
    ],
  };
}

async function timings(request: () => Promise<void>): Promise<Timings> {
  const time = async () => {
    const startedAt = performance.now();
    await request();
    return Math.round(performance.now() - startedAt);
  };
  const first = await time();
  const together = await Promise.all(Array.from({ length: burst }, time));
  const warm: number[] = [];
  for (let count = 0; count < warmRequests; count++) {
    warm.push(await time());
  }
  return {
    first,
    slowestOfBurst: Math.max(...together),
    p50: percentile(warm, 50),
    p95: percentile(warm, 95),
  };
}

/** The smallest value that so many per cent of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? 0;
}
