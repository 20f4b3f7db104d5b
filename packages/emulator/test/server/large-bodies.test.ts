import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { InvokeResult } from '../../lambda/invoke.ts';
import { type ByteBudget, createByteBudget } from '../../shared/byte-budget.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const largeBytes = 1024 * 1024;
const budgetBytes = 2 * largeBytes;

let gateway: TestGateway;
afterEach(() => gateway.close());

/** The budget of a gateway, with a note of the most that was taken. */
function watchedBudget(): ByteBudget & { most: () => number } {
  const budget = createByteBudget(budgetBytes);
  let most = 0;
  return {
    ...budget,
    take: async (bytes, signal) => {
      const release = await budget.take(bytes, signal);
      most = Math.max(most, budget.taken());
      return release;
    },
    most: () => most,
  };
}

function post(body: Buffer, headers: Record<string, string | number>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.url}/things`, { method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const large = Buffer.alloc(largeBytes, 'a');
const small = Buffer.alloc(1000, 'a');

describe('large bodies that come at the same time', () => {
  it.each([
    ['with a length', { 'content-length': largeBytes }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('are in memory within the budget, and all are answered: %s', async (_, headers) => {
    const bodies = watchedBudget();
    let [running, mostRunning] = [0, 0];
    const invoke = async (): Promise<InvokeResult> => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise(setImmediate);
      running -= 1;
      return { ok: true, payload: 'taken' };
    };
    gateway = await startGateway({ invoke, bodies });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(large, headers)));
    expect(answers).toEqual(Array.from({ length: 20 }, () => 200));
    expect(bodies.most()).toBe(budgetBytes);
    expect(mostRunning).toBeLessThanOrEqual(2);
    expect(bodies.taken()).toBe(0);
  });

  it('hold their memory until the function has ended, also when the answer did not wait', async () => {
    const bodies = createByteBudget(budgetBytes);
    let end: (result: InvokeResult) => void = () => undefined;
    const invoke = () =>
      new Promise<InvokeResult>((resolve) => {
        end = resolve;
      });
    gateway = await startGateway({ invoke, bodies, timeoutMilliseconds: 10 });
    expect(await post(large, { 'content-length': largeBytes })).toBe(503);
    expect(bodies.taken()).toBe(largeBytes);
    end({ ok: true, payload: 'late' });
    await expect.poll(() => bodies.taken()).toBe(0);
  });

  it('do not hold up small ones, which do not wait', async () => {
    const bodies = createByteBudget(budgetBytes);
    gateway = await startGateway({ invoke: () => ({ ok: true, payload: 'taken' }), bodies });
    const release = await bodies.take(budgetBytes);
    const waiting = post(large, { 'content-length': largeBytes });
    expect(await post(small, { 'content-length': small.length })).toBe(200);
    release();
    expect(await waiting).toBe(200);
  });

  it('give their memory back when their clients go away', async () => {
    const bodies = createByteBudget(budgetBytes);
    gateway = await startGateway({ invoke: () => ({ ok: true, payload: 'taken' }), bodies });
    const head = `POST /things HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${largeBytes}\r\n\r\n`;
    const sockets = Array.from({ length: 5 }, () => {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(head);
      socket.write(large.subarray(0, largeBytes / 2));
      return socket;
    });
    // Two have their part, and the others wait.
    await expect.poll(() => bodies.taken()).toBe(budgetBytes);
    for (const socket of sockets) {
      socket.resetAndDestroy();
    }
    await expect.poll(() => bodies.taken()).toBe(0);
    expect(await post(large, { 'content-length': largeBytes })).toBe(200);
  });
});
