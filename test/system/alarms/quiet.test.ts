import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { type FaultyStack, startFaultyStack } from '../../support/faulty-stack.ts';

/** Everyday events raise no alarm. */

const timeout = 60_000;
let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack();
  await faulty.evaluate();
}, timeout);
afterAll(() => faulty?.close());
beforeEach(() => faulty.pass(40));

/** Alarms that went off while something happened, and in the minutes after it. */
async function raisedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = faulty.changes.length;
  await act();
  await faulty.evaluate();
  await faulty.pass(3);
  return faulty.changes.slice(before).flatMap(({ alarm, to }) => (to === 'ALARM' ? [alarm] : []));
}

/** Requests that are refused without a call of AWS. */
async function askManyTimes(count: number): Promise<readonly number[]> {
  const ask = async () => (await fetch(`${faulty.stack.baseUrl}/oauth/token`, { method: 'POST' })).status;
  return Promise.all(Array.from({ length: count }, ask));
}

test('uploads that arrive, are cancelled, or never come while the reconciliation pauses for hours', async () => {
  const raised = await raisedBy(async () => {
    await faulty.upload(await faulty.issueUrl());
    const cancelled = await faulty.issueUrl();
    await cancelUpload(faulty.stack.deployment, new URL(cancelled).pathname.split('/').at(-1) ?? '');
    await faulty.issueUrl();
    await faulty.stack.runSchedules(new Date(faulty.clock.now() + 3 * 3_600_000));
    await faulty.stack.eventsSettled();
  });
  expect(raised).toEqual([]);
});

test('requests that clients get wrong', async () => {
  const raised = await raisedBy(async () => {
    const { baseUrl } = faulty.stack;
    const statuses = await Promise.all([
      fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: 'grant_type=password' }),
      fetch(`${baseUrl}/v0/volumes`),
      fetch(`${baseUrl}/v0/files/unknown/sync`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await faulty.token()}` },
      }),
      fetch(`${baseUrl}/nothing`),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([400, 401, 404, 404]);
  });
  expect(raised).toEqual([]);
});

test(
  'one call of AWS that is slow, fails or is throttled, and succeeds when it is made again',
  async () => {
    const raised = await raisedBy(async () => {
      const token = await faulty.token();
      for (const fault of ['slow', 'failing', 'throttling'] as const) {
        faulty.setFaults({ dynamodb: [{ fault, calls: 1 }], sts: [{ fault, calls: 1 }] });
        expect((await faulty.sync(token)).status).toBe(200);
      }
      faulty.setFaults({});
    });
    expect(raised).toEqual([]);
  },
  timeout,
);

test('an upload whose event has to be tried again', async () => {
  const raised = await raisedBy(async () => {
    const url = await faulty.issueUrl();
    // Three calls of the SDK are one attempt of Lambda.
    faulty.setFaults({ dynamodb: [{ fault: 'failing', calls: 3 }] });
    await faulty.upload(url);
    faulty.setFaults({});
  });
  expect(raised).toEqual([]);
});

test('a refresh of the keys that fails once', async () => {
  const raised = await raisedBy(async () => {
    expect(await faulty.requestToken()).toBe(200);
    faulty.clock.advance(5 * 60_000);
    faulty.setFaults({ secretsmanager: 'failing' });
    expect(await faulty.requestToken()).toBe(200);
    faulty.setFaults({});
  });
  expect(raised).toEqual([]);
});

test('one error among more than a hundred answers, but not two among them', async () => {
  const fail = async () => {
    faulty.setFaults({ dynamodb: 'failing' });
    expect(await faulty.requestToken()).toBe(500);
    faulty.setFaults({});
  };
  const one = await raisedBy(async () => {
    expect(new Set(await askManyTimes(110))).toEqual(new Set([400]));
    await fail();
  });
  expect(one).toEqual([]);
  expect(await raisedBy(fail)).toContainEqual(expect.stringContaining('ServerErrors'));
});
