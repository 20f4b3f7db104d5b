/**
 * Mutation testing: changes the code in one place at a time, and runs the tests that reach the place. A test must fail.
 * Fails when a room is below its floor (`floors.ts`).
 *
 *     npm run test:system -- mutation --since REF [--minutes 5]     lines changed since a commit, by the nearest tests
 *     npm run test:system -- mutation [FOLDER...] [--sample N]      the rooms in these folders, or all; 0 tries each mutant
 *                                     [--minutes 150]          (the limit of the nightly job is longer)
 *
 * Prints a table. The score is the share of detected mutants among all, including those that no test reaches. Stops
 * after the minutes: the mutants tested until then are a random sample, and `--seed N` repeats it. The score of a
 * sample may be below the floor by one standard error.
 * `.mutation/report.html` shows each mutant in the source.
 * A mutant without an effect is disabled in the code, by a comment with the reason:
 *
 *     // Stryker disable next-line StringLiteral: why no caller can tell the difference
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changedLines, nearestTests } from './changed-lines.ts';
import { floors } from './floors.ts';
import { mutate } from './mutate.ts';
import { scoreOf } from './score.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    since: { type: 'string' },
  },
});
const { since, seed, minutes = since === undefined ? '150' : '5' } = values;
const until = Date.now() + Number(minutes) * 60_000;
// Stryker and its processes use the working directory as the project.
process.chdir(fileURLToPath(new URL('../../../', import.meta.url)));
const wanted = since === undefined ? wholeRooms(positionals) : changedRooms(since);
const results: object[] = [];
for (const [room, patterns] of wanted) {
  results.push(await judge(room, patterns));
}
console.info(`Seed ${seed}`);
console.table(results);

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns the patterns of each room in the folders, without the rooms below it. */
function wholeRooms(folders: readonly string[]): Map<string, readonly string[]> {
  const rooms = Object.keys(floors);
  const chosen = rooms.filter(
    (room) => folders.length === 0 || folders.some((folder) => isWithin(room, folder)),
  );
  const below = (room: string) => rooms.filter((other) => other.startsWith(`${room}/`));
  return new Map(
    chosen.map((room) => {
      const others = below(room).map((other) => `!${other}/**`);
      return [room, [`${room}/**/*.{js,ts,tsx}`, '!packages/*/test/**', ...others]];
    }),
  );
}

/** Returns the changed lines of each room. A room inside another room precedes it. */
function changedRooms(commit: string): Map<string, readonly string[]> {
  const left = new Set(changedLines(commit));
  const rooms = Object.keys(floors).toSorted((one, other) => other.length - one.length);
  const found = rooms.map((room) => {
    const paths = [...left].filter((path) => isWithin(path, room) && !path.includes('/test/'));
    paths.forEach((path) => void left.delete(path));
    return [room, paths] as const;
  });
  return new Map(found.filter(([, paths]) => paths.length > 0));
}

/** Tests a room, and returns its row of the table. */
async function judge(room: string, patterns: readonly string[]): Promise<object> {
  const startedAt = performance.now();
  const { percent: floor = 0, tests = `test/${room}`, sample: defaults = 0 } = floors[room] ?? {};
  const sample = since === undefined ? Number(values.sample ?? defaults) || undefined : undefined;
  const reaching = since === undefined ? [`${tests}/**/*.test.ts`] : nearestTests(patterns);
  const counts = await mutate(room, patterns, reaching, { sample, seed, until }).catch(
    ({ message }: Error) => message,
  );
  if (typeof counts === 'string') {
    process.exitCode = 1;
    return { room, result: `FAILS: ${counts}` };
  }
  const { mutants, uncovered, tested, detected } = counts;
  const { score, standardError } = scoreOf(counts);
  const passes = score + standardError >= floor;
  process.exitCode = passes ? process.exitCode : 1;
  return {
    room,
    mutants,
    uncovered,
    tested,
    detected,
    score: score.toFixed(1),
    'standard error': standardError.toFixed(1),
    floor,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    result: passes ? 'passes' : 'FAILS',
  };
}
