import { type Deadline, withinDeadline } from '../../../lambdas/shared/http/deadline.ts';

beforeEach(() => void vi.useFakeTimers());

/** Creates work that never ends, and records the deadlines passed to it. */
function hanging() {
  const given: Deadline[] = [];
  const outcome = withinDeadline(1000, (deadline) => {
    given.push(deadline);
    return new Promise<never>(() => undefined);
  }).catch((error: unknown) => error);
  return { deadline: given[0] ?? expect.fail('not begun'), outcome };
}

describe('work with a deadline', () => {
  test.for<[outcome: string, settle: () => Promise<string>]>([
    ['done', async () => 'done'],
    ['broken', async () => Promise.reject(new Error('broken'))],
  ])('that is %s in time leaves no timer behind', async ([outcome, settle]) => {
    const work = withinDeadline(1000, settle);
    expect(await work.catch((error: Error) => error.message)).toBe(outcome);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that does not wait starts no timer', async () => {
    const timers: number[] = [];
    const value = await withinDeadline(1000, () => {
      queueMicrotask(() => timers.push(vi.getTimerCount()));
      return 'done';
    });
    expect(value).toBe('done');
    expect(timers).toEqual([0]);
  });

  test('is not aborted before its deadline', () => {
    const { deadline } = hanging();
    vi.advanceTimersByTime(999);
    expect(deadline.throwIfOver).not.toThrow();
    expect(deadline.signal.aborted).toBe(false);
  });

  test('that is late fails with the reason of its signal', async () => {
    const { deadline, outcome } = hanging();
    const { signal } = deadline;
    vi.advanceTimersByTime(1000);
    expect(signal.aborted).toBe(true);
    expect(deadline.throwIfOver).toThrow('Not done within 1000 ms');
    expect(await outcome).toMatchObject({ name: 'DeadlineError', message: 'Not done within 1000 ms' });
    expect(signal.reason).toBe(await outcome);
  });

  test('that is late finds the reason in its signal afterwards', async () => {
    const { deadline, outcome } = hanging();
    vi.advanceTimersByTime(1000);
    expect(deadline.signal.reason).toBe(await outcome);
  });
});
