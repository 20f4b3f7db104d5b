import { judge } from '../world/outcome.ts';
import { ask } from '../world/reach.ts';
import type { World } from '../world/world.ts';
import type { Check, CheckOutcome } from './check.ts';

const warmRequests = 20;

/** Measures from outside. The first request can be a cold start, which is not shown to a client otherwise. */
export const latency: Check = {
  name: 'latency',
  does: `time ${1 + warmRequests} requests to each of token, volumes and sync`,
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
  const seen: string[] = [];
  for (const [route, request] of Object.entries(requests)) {
    const [first = 0, ...warm] = await timings(request);
    seen.push(`${route} ${first}, ${percentile(warm, 50)} and ${percentile(warm, 95)} ms`);
  }
  return judge(true, `First request, warm p50 and p95, network included: ${seen.join('; ')}.`);
}

/** Milliseconds of requests one after the other. */
async function timings(request: () => Promise<void>): Promise<readonly number[]> {
  const milliseconds: number[] = [];
  for (let count = 0; count <= warmRequests; count++) {
    const startedAt = performance.now();
    await request();
    milliseconds.push(Math.round(performance.now() - startedAt));
  }
  return milliseconds;
}

/** The smallest value that so many per cent of the values do not exceed. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? 0;
}
