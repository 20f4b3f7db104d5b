import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQuietWatch } from '../../../emulator/lambda/quiet.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const working = (milliseconds: number) => () =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

describe('quiet', () => {
  it('comes once, some time after the last work has ended', async () => {
    const onQuiet = vi.fn();
    const { during } = createQuietWatch(3000, onQuiet);
    for (const milliseconds of [10, 500]) {
      void during(working(milliseconds));
    }
    await vi.advanceTimersByTimeAsync(500 + 2999);
    expect(onQuiet).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onQuiet).toHaveBeenCalledTimes(1);
  });

  it('comes again after the next work, failed work included', async () => {
    const onQuiet = vi.fn();
    const { during } = createQuietWatch(3000, onQuiet);
    await during(async () => undefined);
    await vi.advanceTimersByTimeAsync(3000);
    await expect(during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await vi.advanceTimersByTimeAsync(3000);
    expect(onQuiet).toHaveBeenCalledTimes(2);
  });

  it('does not come during work, however long that takes', async () => {
    const onQuiet = vi.fn();
    const { during } = createQuietWatch(3000, onQuiet);
    for (const milliseconds of [10, 30_000]) {
      void during(working(milliseconds));
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect(onQuiet).not.toHaveBeenCalled();
  });

  it('does not come under steady load: eight at the same time, four times a second', async () => {
    const onQuiet = vi.fn();
    const { during } = createQuietWatch(3000, onQuiet);
    for (let round = 0; round < 400; round += 1) {
      for (let connection = 0; connection < 8; connection += 1) {
        void during(working(5));
      }
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(onQuiet).not.toHaveBeenCalled();
  });

  it('does not come once the watch is closed', async () => {
    const onQuiet = vi.fn();
    const { during, close } = createQuietWatch(3000, onQuiet);
    await during(async () => undefined);
    close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onQuiet).not.toHaveBeenCalled();
  });
});
