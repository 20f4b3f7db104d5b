/**
 * Mutation testing: changes the code in one place at a time, and runs the tests that reach the place. A test must fail.
 * Fails when a room is below its floor (`floors.ts`).
 *
 *     npm run test:system -- mutation --since REF                  only the lines that were changed since a commit
 *     npm run test:system -- mutation [FOLDER...] [--sample 0]     rooms, or folders in them; 0 tests each mutant
 *
 * Without a folder, all rooms in turn. `--minutes N` stops then, after 5 with `--since`; the output says how many mutants
 * were tried. A sample is random: `--seed N` repeats it. It fails a room if it is further below the floor than chance
 * explains: two standard errors. Without a sample, a mutant is tested again only when its file or its tests have changed
 * since the last run; `--force` tests all. `.mutation/report.html` shows each mutant in its place.
 * A mutant that changes nothing is disabled in the code, by a comment with the reason:
 *
 *     // Stryker disable next-line StringLiteral: why no caller can tell the difference
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changedLines } from './changed-lines.ts';
import { floors } from './floors.ts';
import { mutate } from './mutate.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    force: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    since: { type: 'string' },
  },
});
// Stryker and its processes take the working directory for the project.
process.chdir(fileURLToPath(new URL('../../../', import.meta.url)));
process.exitCode = await main();

/** @returns the exit code: 1 when a room is below its floor, 2 for a folder that is in no room */
async function main(): Promise<number> {
  const { since, seed, force, minutes = since === undefined ? undefined : '5' } = values;
  const until = Date.now() + Number(minutes ?? Number.MAX_SAFE_INTEGER / 1e6) * 60_000;
  const rooms = Object.keys(floors);
  const wanted = since === undefined ? (positionals.length > 0 ? positionals : rooms) : changedLines(since);
  const strangers = wanted.filter((path) => roomOf(path) === undefined);
  if (strangers.length > 0 && since === undefined) {
    process.stderr.write(`error: ${strangers} is in no room. The rooms are: ${rooms.join(', ')}\n`);
    return 2;
  }
  const lines = strangers.map((path) => `${path}: in no room, not tried\n`);
  let exitCode = 0;
  for (const room of rooms) {
    const paths = wanted.filter((path) => roomOf(path) === room);
    if (paths.length === 0) {
      continue;
    }
    const floor = floors[room] ?? { percent: 0, tests: room };
    const size = since === undefined ? Number(values.sample ?? floor.sample ?? 0) : 0;
    const sample = size === 0 ? undefined : size;
    const patterns =
      since === undefined
        ? paths.flatMap((path) => [
            `${path}/**/*.{ts,tsx}`,
            ...roomsWithin(path).map((other) => `!${other}/**`),
          ])
        : paths;
    const whole = since === undefined && sample === undefined && paths.includes(room);
    const outcome = await mutate({
      room,
      patterns,
      tests: floor.tests,
      whole,
      force,
      limits: { sample, seed, until },
    });
    const { text, passes } = judge(outcome, floor.percent, seed);
    exitCode = passes ? exitCode : 1;
    lines.push(`${room}: ${text}: ${passes ? 'passes' : 'FAILS'}\n`);
  }
  process.stdout.write(`\n${lines.join('')}`);
  return exitCode;
}

/** The room of a path: the longest of those that hold it. */
function roomOf(path: string): string | undefined {
  const holding = Object.keys(floors).filter((room) => path === room || path.startsWith(`${room}/`));
  return holding.toSorted((one, other) => other.length - one.length)[0];
}

/** Rooms in a folder, which have a floor of their own. */
function roomsWithin(folder: string): readonly string[] {
  return Object.keys(floors).filter((other) => other.startsWith(`${folder}/`));
}

/** A part of the mutants may be below the floor by chance. */
function judge(outcome: Awaited<ReturnType<typeof mutate>>, floor: number, seed: string) {
  const { detected, survived, untried, uncovered, seconds } = outcome;
  const tried = detected + survived;
  const percent = tried === 0 ? 100 : (100 * detected) / tried;
  const margin = untried === 0 ? 0 : 2 * Math.sqrt((floor * (100 - floor)) / Math.max(tried, 1));
  const part =
    untried === 0
      ? ''
      : `; tried ${tried} of ${tried + untried}, seed ${seed}, so ${margin.toFixed(1)} % less passes`;
  return {
    passes: percent >= floor - margin && (tried > 0 || untried === 0),
    text:
      `${detected} of ${tried} covered mutants detected, ${percent.toFixed(1)} % (floor ${floor} %${part}); ` +
      `${uncovered} not covered; ${seconds.toFixed(0)} s`,
  };
}
