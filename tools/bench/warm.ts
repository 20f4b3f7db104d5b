/**
 * Measures warm handlers in its own process. Each round sends the same number of events to each handler, one
 * after the other. The result is the CPU time of one request: one value for each round, by handler.
 */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { measure } from 'mitata';

export interface WarmTask {
  readonly rounds: number;
  readonly handlers: readonly {
    readonly name: string;
    readonly bundle: string;
    readonly events: readonly object[];
  }[];
}

/** Requests to each handler in a round. */
const requests = 300;

type Handler = (event: object) => Promise<{ readonly statusCode: number; readonly body: string }>;

/**
 * Returns the CPU time of the process in nanoseconds: all threads, user and system. It does not include the
 * wait for AWS.
 */
function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

async function open({ bundle, events }: WarmTask['handlers'][number]) {
  const { handler }: { handler: Handler } = await import(pathToFileURL(bundle).href);
  let next = 0;
  return async () => {
    const event = events[next % events.length] ?? {};
    next += 1;
    const { statusCode, body } = await handler(event);
    if (statusCode !== 200) {
      throw new Error(`${bundle} responded with ${statusCode}: ${body}`);
    }
  };
}

const { rounds, handlers }: WarmTask = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));
const contestants: { name: string; request: () => Promise<void>; samples: number[] }[] = [];
for (const handler of handlers) {
  contestants.push({ name: handler.name, request: await open(handler), samples: [] });
}
const options = {
  now: cpuNanoseconds,
  gc: false,
  min_samples: requests,
  max_samples: requests,
  min_cpu_time: 0,
  batch_threshold: 0,
};
// V8 compiles the used code in three warm-up rounds, which do not count.
for (let round = -3; round < rounds; round += 1) {
  for (const { request, samples } of contestants) {
    const { avg } = await measure(request, options);
    if (round >= 0) {
      samples.push(avg / 1000);
    }
  }
}
process.send?.(Object.fromEntries(contestants.map(({ name, samples }) => [name, samples])));
process.disconnect?.();
process.exit(0);
