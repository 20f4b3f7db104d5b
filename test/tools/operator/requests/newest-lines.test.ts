import { describe, expect, test } from 'vitest';
import type { LogLine, LogRange } from '../../../../tools/operator/requests/logs.ts';
import { newestLines } from '../../../../tools/operator/requests/newest-lines.ts';

const end = Date.parse('2026-11-22T12:00:00Z');
const [minute, day] = [60_000, 86_400_000];

/** Creates a line of this many milliseconds before the end of the log. */
const line = (ago: number): LogLine => ({ at: end - ago, members: { request_id: `id-${ago}` } });

/** Starts a log with a line at each of these times, in pages of ten lines, oldest first, and counts the pages. */
function logOf(agos: readonly number[]) {
  const lines = agos.map(line).toSorted((a, b) => a.at - b.at);
  const read = { pages: 0 };
  const readRange = async function* ({ from, to }: LogRange) {
    const found = lines.filter(({ at }) => at >= from && at <= to);
    for (let start = 0; start === 0 || start < found.length; start += 10) {
      read.pages += 1;
      yield { lines: found.slice(start, start + 10), isLast: start + 10 >= found.length };
    }
  };
  return { read, readRange };
}

/** Reads lines until this many are found. */
async function readNewest(agos: readonly number[], wanted: number, length: number = day) {
  const { read, readRange } = logOf(agos);
  const found: LogLine[] = [];
  for await (const { lines } of newestLines(readRange, { from: end - length, to: end }, wanted)) {
    found.push(...lines);
    if (found.length >= wanted) {
      break;
    }
  }
  return { found: found.slice(0, wanted).map(({ at }) => end - at), ...read };
}

const evenly = (count: number, apart: number) => Array.from({ length: count }, (_, index) => index * apart);

describe('the lines of a log', () => {
  test.for<readonly [string, readonly number[]]>([
    ['few, far apart', [0, 3 * minute, day / 2, day]],
    ['many in a minute', evenly(400, 100)],
    ['many in the same millisecond', [...evenly(30, 0), minute]],
    ['a rush between quiet hours', [5, ...evenly(200, 7).map((ago) => ago + day / 3), day - 1]],
  ])('are read once each, newest first: %s', async ([, agos]) => {
    const { found } = await readNewest(agos, 1000);
    expect(found).toEqual(agos.toSorted((a, b) => a - b));
  });

  test.for<readonly [string, readonly number[], number]>([
    ['of a dense log', evenly(50_000, 100), 5],
    ['of a sparse log', evenly(100, 10 * minute), 10],
    ['of an empty log', [], 11],
  ])('require few pages for the newest of them: %s', async ([, agos, most]) => {
    const { found, pages } = await readNewest(agos, 8);
    expect(found).toEqual(agos.slice(0, 8));
    expect(pages).toBeLessThanOrEqual(most);
  });

  test('outside of the range are left out', async () => {
    const { found } = await readNewest([minute, minute + 1], 9, minute);
    expect(found).toEqual([minute]);
  });
});
