import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { EventKind, Setting } from './setting.ts';
import type { WarmTask } from './warm.ts';

/** A bundle to measure, and the kind of its events. */
export interface Contestant {
  readonly name: string;
  readonly bundle: string;
  readonly kind: EventKind;
}

/** One value for each round, by contestant. */
export type Samples = ReadonlyMap<string, readonly number[]>;

export interface Lab {
  readonly setting: Setting;
  /** Environment of each measured process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of the peers, for temporary files. */
  readonly folder: string;
  readonly rounds: number;
}

const respondOnce = fileURLToPath(new URL('respond-once.mjs', import.meta.url));
const warmProgram = fileURLToPath(new URL('warm.ts', import.meta.url));

/**
 * Measures the CPU time from the start of a fresh process to its first response, in milliseconds, less the
 * time of an empty bundle. Each round starts all contestants in turn, once each.
 */
export async function measureCold(contestants: readonly Contestant[], lab: Lab): Promise<Samples> {
  const nothing = join(lab.folder, 'nothing.mjs');
  await writeFile(nothing, 'export const handler = async () => ({ statusCode: 200 });\n');
  const sample = async (bundle: string, event: object) => {
    const parameters = [respondOnce, bundle, JSON.stringify(event)];
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { env: lab.environment });
    // The function may have logged lines before the value.
    return Number(stdout.slice(stdout.lastIndexOf('\n') + 1));
  };
  const samples = new Map(contestants.map(({ name }): [string, number[]] => [name, []]));
  // The first round fills the file system's cache and is not counted.
  for (let round = -1; round < lab.rounds; round += 1) {
    const empty = await sample(nothing, {});
    for (const { name, bundle, kind } of contestants) {
      const value = (await sample(bundle, lab.setting.events[kind]())) - empty;
      if (round >= 0) {
        samples.get(name)?.push(value);
      }
    }
  }
  return samples;
}

/**
 * Number of tokens in the sync events. It exceeds the cache of a function, so each sync comes with an
 * uncached token.
 */
const distinctSyncs = 2_000;

/** Measures the CPU time of one request to a warm handler, in microseconds. */
export async function measureWarm(contestants: readonly Contestant[], lab: Lab): Promise<Samples> {
  const events = (kind: EventKind) =>
    Array.from({ length: kind === 'sync' ? distinctSyncs : 1 }, lab.setting.events[kind]);
  const task: WarmTask = {
    rounds: lab.rounds,
    handlers: contestants.map(({ name, bundle, kind }) => ({ name, bundle, events: events(kind) })),
  };
  const file = join(lab.folder, 'task.json');
  await writeFile(file, JSON.stringify(task));
  const child = fork(warmProgram, [file], {
    env: lab.environment,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`The process with the warm handlers ended with ${code}`);
  });
  const [samples] = await Promise.race([once(child, 'message'), ended]);
  return new Map(Object.entries(samples as Record<string, number[]>));
}
