/**
 * Mutation testing: changes the code in one place at a time, and runs the tests that reach the place. A test must fail.
 * Fails when a room is below its floor (`floors.ts`).
 *
 *     npm run test:system -- mutation --since REF [--minutes 5]     lines changed since a commit, by the nearest tests
 *     npm run test:system -- mutation [FOLDER...] [--sample N]      the rooms in these folders, or all; 0 tries each mutant
 *
 * Stops after the minutes, and prints the number of tested mutants. They are chosen at random; `--seed N` repeats a run.
 * A sample may be below the floor by two standard errors, which chance explains.
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    since: { type: 'string' },
  },
});
const { since, seed, minutes = since === undefined ? '1000' : '5' } = values;
const until = Date.now() + Number(minutes) * 60_000;
// Stryker and its processes use the working directory as the project.
process.chdir(fileURLToPath(new URL('../../../', import.meta.url)));
const wanted = since === undefined ? wholeRooms(positionals) : changedRooms(since);
const lines: string[] = [];
for (const [room, patterns] of wanted) {
  lines.push(await judge(room, patterns));
}
process.stdout.write(`\n${lines.join('')}`);

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
      return [room, [`${room}/**/*.{ts,tsx}`, '!packages/*/test/**', ...others]];
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

/** Tests a room, and returns its result as one line. */
async function judge(room: string, patterns: readonly string[]): Promise<string> {
  const startedAt = performance.now();
  const { percent: floor = 0, tests = `test/${room}`, sample: defaults = 0 } = floors[room] ?? {};
  const sample = since === undefined ? Number(values.sample ?? defaults) || undefined : undefined;
  const reaching = since === undefined ? [`${tests}/**/*.test.ts`] : nearestTests(patterns);
  const limits = { sample, seed, until };
  const counts = await mutate(room, patterns, reaching, limits).catch(({ message }: Error) => message);
  if (typeof counts === 'string') {
    process.exitCode = 1;
    return `${room}: ${counts}: FAILS\n`;
  }
  const { detected, survived, untried, uncovered } = counts;
  const tried = detected + survived;
  const percent = tried + untried === 0 ? 100 : (100 * detected) / tried;
  const chance = untried === 0 ? 0 : 2 * Math.sqrt((floor * (100 - floor)) / tried);
  const passes = percent >= floor - chance;
  process.exitCode = passes ? process.exitCode : 1;
  const part = untried === 0 ? '' : `, of ${tried + untried}, seed ${seed}, chance ${chance.toFixed(1)} %`;
  return (
    `${room}: ${detected} of ${tried} mutants detected${part}: ${percent.toFixed(1)} % (floor ${floor} %); ` +
    `${uncovered} not covered; ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${passes ? 'passes' : 'FAILS'}\n`
  );
}
