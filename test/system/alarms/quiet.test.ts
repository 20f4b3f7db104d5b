import { afterAll, beforeEach, expect, test } from 'vitest';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { startFaultyStack } from '../../support/faulty-stack.ts';

/** Everyday events raise no alarm. `lib/alarms.test.ts` covers the thresholds. */

const faulty = await startFaultyStack();
afterAll(faulty.close);
await faulty.evaluate();
beforeEach(() => faulty.pass(40));

/** Returns the alarms raised during an action, and in the minutes after it. */
async function raisedBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = faulty.changes.length;
  await act();
  await faulty.evaluate();
  await faulty.pass(3);
  return faulty.changes.slice(before).flatMap(({ alarm, to }) => (to === 'ALARM' ? [alarm] : []));
}

test('uploads that arrive, are cancelled, or never come for hours', async () => {
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

test.for(['slow', 'failing', 'throttling'] as const)(
  'one call of AWS that is %s, and its retry',
  async (fault) => {
    const raised = await raisedBy(async () => {
      const token = await faulty.token();
      faulty.setFaults({ dynamodb: [{ fault, calls: 1 }], sts: [{ fault, calls: 1 }] });
      expect((await faulty.sync(token)).status).toBe(200);
      faulty.setFaults({});
    });
    expect(raised).toEqual([]);
  },
);

test('an upload whose event has to be tried again', async () => {
  const raised = await raisedBy(async () => {
    const url = await faulty.issueUrl();
    // Lambda counts three calls of the SDK as one attempt.
    faulty.setFaults({ dynamodb: [{ fault: 'failing', calls: 3 }] });
    await faulty.upload(url);
    faulty.setFaults({});
  });
  expect(raised).toEqual([]);
});
