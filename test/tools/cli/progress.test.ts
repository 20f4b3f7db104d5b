import { describe, expect, test } from 'vitest';
import { createProgress } from '../../../tools/terminal/progress.ts';
import { TextCollector } from '../../support/text-stream.ts';

function start(stream: TextCollector) {
  const clock = { now: 0 };
  const progress = createProgress({ label: 'Moving', total: 3_000_000, stream, now: () => clock.now });
  return { clock, progress };
}

describe('a transfer that breaks off', () => {
  test('before its first byte has one line, without a rate', () => {
    const stream = new TextCollector();
    const { clock, progress } = start(stream);
    clock.now = 15_000;
    progress.finish();
    expect(stream.text).toBe('Moving: 0% 0 bytes of 2.9 MiB\n');
  });

  test('before its first byte has no rate on a terminal either', () => {
    const stream = new TextCollector({ isTTY: true });
    start(stream).progress.finish();
    expect(stream.text).toMatch(/ 0% 0 bytes of 2\.9 MiB\n$/);
  });

  test('on its way says how far it came', () => {
    const stream = new TextCollector();
    const { clock, progress } = start(stream);
    clock.now = 1000;
    progress.update(300_000);
    progress.finish();
    expect(stream.text).toMatch(/\nMoving: 10% 293\.0 KiB of 2\.9 MiB, 293\.0 KiB\/s, 1\.0 s\n$/);
  });
});

test('the end is said once, however long the answer takes', () => {
  const stream = new TextCollector();
  const { clock, progress } = start(stream);
  progress.update(3_000_000);
  clock.now = 30_000;
  progress.finish();
  expect(stream.text.match(/100%/g)).toHaveLength(1);
});
