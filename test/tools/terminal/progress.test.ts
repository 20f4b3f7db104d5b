import { createProgress, transferText } from '../../../tools/terminal/progress.ts';
import { TextCollector } from '../../support/text-stream.ts';

const start = '\r\u001b[2K';

/** Returns the output of updates at the given milliseconds. */
function written(
  stream: { readonly isTTY: boolean; readonly columns?: number },
  ...times: readonly number[]
) {
  const collected = new TextCollector(stream);
  let now = 5000;
  const text = (done: string, seconds: number) => `${done} in ${seconds} s`;
  const progress = createProgress<string>(collected, text, () => now);
  for (const time of times) {
    now = 5000 + time;
    progress.update(`step ${time}`);
  }
  progress.finish();
  progress.finish();
  return collected.text;
}

describe('progress', () => {
  test('on a terminal is one line that is redrawn and taken away', () => {
    const drawn = `${start}step 1000 in 1 s${start}step 1100 in 1.1 s${start}`;
    expect(written({ isTTY: true, columns: 80 }, 1000, 1100)).toBe(drawn);
  });

  test('is drawn after a second, and ten times a second', () => {
    expect(written({ isTTY: true, columns: 80 }, 999)).toBe('');
    expect(written({ isTTY: true, columns: 80 }, 1000, 1099)).toBe(`${start}step 1000 in 1 s${start}`);
  });

  test('leaves the last column free', () => {
    expect(written({ isTTY: true, columns: 10 }, 1000)).toBe(`${start}step 1000${start}`);
  });

  test('elsewhere is nothing', () => {
    expect(written({ isTTY: false }, 1000, 2000)).toBe('');
  });
});

test.for([
  [0, 1, 'Moving: 0%, 0 bytes of 40.0 KiB'],
  [4096, 2, 'Moving: 10%, 4.0 KiB of 40.0 KiB, 2.0 KiB/s, 18 s left'],
  [40_959, 1, 'Moving: 99%, 40.0 KiB of 40.0 KiB, 40.0 KiB/s, 0.0 s left'],
] as const)('%i bytes after %i s are printed', ([done, seconds, line]) => {
  expect(transferText('Moving', 40_960)(done, seconds)).toBe(line);
});
