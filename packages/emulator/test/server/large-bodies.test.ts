import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InvokeResult } from '../../lambda/invoke.ts';
import { createSlots, type Slots } from '../../shared/concurrency.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const large = Buffer.alloc(1024 * 1024, 'a');
const small = Buffer.alloc(1000, 'a');

/** Two places for large bodies, and how many are taken. */
let bodies: Slots;
let taken: number;
let gateway: TestGateway;
beforeEach(() => {
  const slots = createSlots(2);
  taken = 0;
  bodies = {
    take: async () => {
      const release = await slots.take();
      taken += 1;
      return () => {
        taken -= 1;
        release();
      };
    },
  };
});
afterEach(() => gateway.close());

function post(body: Buffer, headers: Record<string, string | number>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.url}/things`, { method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

describe('large bodies that come at the same time', () => {
  it.each([
    ['with a length', { 'content-length': large.length }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('are in memory by twos until their function has ended, and all are answered: %s', async (_, headers) => {
    let most = 0;
    const invoke = async (): Promise<InvokeResult> => {
      most = Math.max(most, taken);
      await new Promise(setImmediate);
      return { ok: true, payload: 'taken' };
    };
    gateway = await startGateway({ invoke, bodies });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(large, headers)));
    expect(answers).toEqual(Array.from({ length: 20 }, () => 200));
    expect(most).toBe(2);
    expect(taken).toBe(0);
  });

  it('do not hold up small ones, which do not wait', async () => {
    gateway = await startGateway({ invoke: () => ({ ok: true, payload: 'taken' }), bodies });
    const releases = [await bodies.take(), await bodies.take()];
    const waiting = post(large, { 'content-length': large.length });
    expect(await post(small, { 'content-length': small.length })).toBe(200);
    for (const release of releases) {
      release();
    }
    expect(await waiting).toBe(200);
  });

  it('give their places back when their clients go away', async () => {
    gateway = await startGateway({ invoke: () => ({ ok: true, payload: 'taken' }), bodies });
    const head = `POST /things HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${large.length}\r\n\r\n`;
    const sockets = Array.from({ length: 5 }, () => {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(head);
      socket.write(large.subarray(0, large.length / 2));
      return socket;
    });
    // Two have their places, and the others wait.
    await expect.poll(() => taken).toBe(2);
    for (const socket of sockets) {
      socket.resetAndDestroy();
    }
    await expect.poll(() => taken).toBe(0);
    expect(await post(large, { 'content-length': large.length })).toBe(200);
  });
});
