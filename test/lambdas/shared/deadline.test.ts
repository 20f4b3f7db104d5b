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

  test('that is late fails with the reason that its signal gets, and that it learns when it asks, but not before', async () => {
    let given: Deadline | undefined;
    let askedLate: Deadline | undefined;
    const other = withinDeadline(1000, (deadline) => {
      askedLate = deadline;
      return new Promise(() => undefined);
    }).catch((error: unknown) => error);
    const outcome = withinDeadline(1000, (deadline) => {
      given = deadline;
      return new Promise(() => undefined);
    }).catch((error: unknown) => error);
    vi.advanceTimersByTime(999);
    expect(given?.throwIfOver).not.toThrow();
    expect(given?.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(given?.throwIfOver).toThrow('Not done within 1000 ms');
    expect(given?.signal.aborted).toBe(true);
    const error = await outcome;
    expect(error).toMatchObject({ name: 'DeadlineError', message: 'Not done within 1000 ms' });
    expect(given?.signal.reason).toBe(error);
    expect(askedLate?.signal.reason).toBe(await other);
  });
});
