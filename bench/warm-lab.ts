import { makeBundles } from './bundles.ts';
import { type BenchRequest, type Contestant, send, startContestant } from './contestant.ts';
import { createSetting, type Setting } from './setting.ts';

/** A contestant of a warm measurement, and the requests that it gets. */
export interface WarmContestant {
  readonly name: string;
  /** A program of bench/programs/, or a function with its route. */
  readonly program: string | { readonly functionName: string; readonly routeKey: string };
  readonly request: (setting: Setting) => Promise<BenchRequest>;
}

/** CPU time for one request in microseconds: by contestant, one figure for each round. */
export type WarmSamples = ReadonlyMap<string, readonly number[]>;

/** Requests of each contestant before the first round, so that V8 has compiled what they use. */
const warmUpRequests = 3_000;
const requestsPerRound = 400;

/**
 * Measures the CPU time of warm requests. Each contestant is a process of its own that serves over HTTP. AWS is a
 * further process that answers every call immediately. The contestants have their turns one after another in each
 * round, each with the same number of requests, one at a time, as Lambda gives them to an environment.
 */
export async function measureWarm(
  contestants: readonly WarmContestant[],
  rounds: number,
): Promise<WarmSamples> {
  const setting = await createSetting();
  const bundles = await makeBundles();
  const started: Contestant[] = [];
  const start = async (program: string, env: Readonly<Record<string, string>>) => {
    const contestant = await startContestant(program, env);
    started.push(contestant);
    return contestant;
  };
  try {
    const aws = await start(await bundles.ofProgram('aws-stub'), setting.environment);
    const environment = { ...setting.environment, AWS_ENDPOINT_URL: aws.url };
    const measured: { readonly name: string; readonly round: (requests: number) => Promise<number> }[] = [];
    for (const { name, program, request } of contestants) {
      const isPeer = typeof program === 'string';
      const file = await bundles.ofProgram(isPeer ? program : 'function-behind-http');
      const process = await start(
        file,
        isPeer
          ? environment
          : {
              ...environment,
              BUNDLE: await bundles.ofFunction(program.functionName),
              ROUTE_KEY: program.routeKey,
            },
      );
      measured.push({ name, round: (requests) => cpuPerRequest(process, requests, () => request(setting)) });
    }
    return await takeTurns(measured, rounds);
  } finally {
    await Promise.all(started.map((contestant) => contestant.stop()));
    await bundles.remove();
  }
}

async function takeTurns(
  contestants: readonly { readonly name: string; readonly round: (requests: number) => Promise<number> }[],
  rounds: number,
): Promise<WarmSamples> {
  const samples = new Map(contestants.map(({ name }): [string, number[]] => [name, []]));
  for (const { round } of contestants) {
    await round(warmUpRequests);
  }
  for (let index = 0; index < rounds; index += 1) {
    for (const { name, round } of contestants) {
      samples.get(name)?.push(await round(requestsPerRound));
    }
  }
  return samples;
}

async function cpuPerRequest(
  contestant: Contestant,
  count: number,
  request: () => Promise<BenchRequest>,
): Promise<number> {
  // Made before the clock starts, although they are made in another process: the rounds then are short.
  const requests: BenchRequest[] = [];
  for (let index = 0; index < count; index += 1) {
    requests.push(await request());
  }
  const before = await contestant.cpuMicroseconds();
  for (const one of requests) {
    await send(contestant.url, one);
  }
  return ((await contestant.cpuMicroseconds()) - before) / count;
}
