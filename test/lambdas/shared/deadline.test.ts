import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Deadline, withinDeadline } from '../../../lambdas/shared/http/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('work with a deadline', () => {
  test('that succeeds or fails in time leaves no timer behind, and its signal is never aborted', async () => {
    for (const settle of [async () => 'done', async () => Promise.reject(new Error('broken'))]) {
      let given: AbortSignal | undefined;
      const work = withinDeadline(1000, ({ signal }) => {
        given = signal;
        return settle();
      });
      expect(['done', 'broken']).toContain(await work.catch((error: Error) => error.message));
      expect(vi.getTimerCount()).toBe(0);
      expect(given?.aborted).toBe(false);
    }
  });

  test('that waits for nothing takes no timer', async () => {
    const timers: number[] = [];
    const value = await withinDeadline(1000, () => {
      queueMicrotask(() => timers.push(vi.getTimerCount()));
      return 'done';
    });
    expect(value).toBe('done');
    expect(timers).toEqual([0]);
  });

  test('that is late fails with the reason that its signal gets, at the deadline and not before', async () => {
    let given: AbortSignal | undefined;
    const late = withinDeadline(1000, ({ signal }) => {
      given = signal;
      return new Promise(() => undefined);
    });
    const outcome = late.catch((error: unknown) => error);
    vi.advanceTimersByTime(999);
    expect(given?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(given?.aborted).toBe(true);
    const error = await outcome;
    expect(error).toMatchObject({ name: 'DeadlineError', message: 'Not done within 1000 ms' });
    expect(given?.reason).toBe(error);
  });

  test('that asks only when it is late learns that it is', async () => {
    let asked: Deadline | undefined;
    const late = withinDeadline(1000, (deadline) => {
      asked = deadline;
      return new Promise(() => undefined);
    });
    const outcome = late.catch((error: unknown) => error);
    expect(asked?.throwIfOver).not.toThrow();
    vi.advanceTimersByTime(1000);
    const error = await outcome;
    expect(asked?.throwIfOver).toThrow('Not done within 1000 ms');
    expect(asked?.signal.aborted).toBe(true);
    expect(asked?.signal.reason).toBe(error);
  });
});
