import { expect, test } from 'vitest';
import { createCountProgress } from '../../../../tools/terminal/count-progress.ts';
import { TextCollector } from '../../../support/text-stream.ts';

/** What is written when the number 1, 2, 3 ... is reached at these times, in milliseconds. */
function written(isTTY: boolean, times: readonly number[]): string {
  let now = 0;
  const stream = new TextCollector({ isTTY });
  const progress = createCountProgress(
    stream,
    (done) => `${done} done`,
    () => now,
  );
  for (const [index, time] of times.entries()) {
    now = time;
    progress.update(index + 1);
  }
  progress.finish();
  return stream.text;
}

test('a terminal gets one line that is redrawn, and taken away at the end', () => {
  expect(written(true, [500, 1000, 1050, 1100])).toBe('\r\u001b[2K2 done\r\u001b[2K4 done\r\u001b[2K');
});

test('another stream gets a line every ten seconds', () => {
  expect(written(false, [1000, 10_000, 11_000, 20_000])).toBe('2 done\n4 done\n');
});

test.each([true, false])('a short command gets no line (terminal: %s)', (isTTY) => {
  expect(written(isTTY, [10, 20, 999])).toBe('');
});
