import { describe, expect, it } from 'vitest';
import { createByteBudget } from '../../shared/byte-budget.ts';

describe('a budget of bytes', () => {
  it('lets those wait who find too little left, and serves them in order', async () => {
    const budget = createByteBudget(10);
    const order: string[] = [];
    const first = await budget.take(6);
    const second = budget.take(5).then((release) => {
      order.push('second');
      return release;
    });
    const third = budget.take(1).then((release) => {
      order.push('third');
      return release;
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    expect(budget.taken()).toBe(6);
    first();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
    expect(budget.taken()).toBe(0);
  });

  it('takes back what was given only once', async () => {
    const budget = createByteBudget(10);
    const [one] = await Promise.all([budget.take(4), budget.take(4)]);
    one();
    one();
    expect(budget.taken()).toBe(4);
  });

  it('gives all that there is to one who wants more', async () => {
    const budget = createByteBudget(10);
    await budget.take(100);
    expect(budget.taken()).toBe(10);
  });

  it('forgets one who has gone, and serves those behind', async () => {
    const budget = createByteBudget(10);
    const release = await budget.take(8);
    const gone = new AbortController();
    const waiting = budget.take(5, gone.signal);
    const behind = budget.take(2);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await behind;
    release();
    expect(budget.taken()).toBe(2);
    await expect(budget.take(1, gone.signal)).rejects.toThrow('gone');
  });
});
