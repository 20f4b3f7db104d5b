import { median } from '../statistics.ts';

/** So many requests are under way at the same time. */
export const levels = [1, 10, 100, 1000] as const;

/** What is sent requests. */
export interface Contender {
  readonly name: string;
  /** Sends one request, and fails when the answer is not a success. */
  readonly send: () => Promise<void>;
  /** CPU time that was used so far, in microseconds. */
  readonly used: () => Promise<number>;
  /** Requests of one sample. */
  readonly requests: number;
}

/** What a request costs when so many are under way at the same time. */
export interface LevelCost {
  readonly name: string;
  readonly level: number;
  readonly errors: number;
  /** CPU time of one request: median of the rounds. */
  readonly microseconds: number;
  /** Ratio to the cheapest level: median of the ratios within each round. */
  readonly growth: number;
}

const warmRounds = 1;

/** Sent before each sample: a new level opens connections and starts workers, which no later request of it does. */
const openingRequests = 100;

/** Measures all levels in turn, in every round. */
export async function measureLevels(contender: Contender, rounds: number): Promise<readonly LevelCost[]> {
  const { requests } = contender;
  const samples = levels.map((): number[] => []);
  const errors = levels.map(() => 0);
  for (let round = -warmRounds; round < rounds; round += 1) {
    for (const [index, level] of levels.entries()) {
      const failedBefore = await sendAll(contender.send, level, Math.max(level, openingRequests));
      const before = await contender.used();
      const failed = await sendAll(contender.send, level, requests);
      const each = ((await contender.used()) - before) / requests;
      errors[index] = (errors[index] ?? 0) + failedBefore + failed;
      if (round >= 0) {
        samples[index]?.push(each);
      }
    }
  }
  const medians = samples.map(median);
  const cheapest = samples[medians.indexOf(Math.min(...medians))] ?? [];
  return levels.map((level, index) => ({
    name: contender.name,
    level,
    errors: errors[index] ?? 0,
    microseconds: medians[index] ?? Number.NaN,
    growth: median((samples[index] ?? []).map((value, round) => value / (cheapest[round] ?? Number.NaN))),
  }));
}

/** @returns how many requests failed */
async function sendAll(send: () => Promise<void>, level: number, requests: number): Promise<number> {
  let [started, failed] = [0, 0];
  const sender = async () => {
    while (started < requests) {
      started += 1;
      await send().catch(() => {
        failed += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(level, requests) }, sender));
  return failed;
}
