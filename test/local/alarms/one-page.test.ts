import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AlarmFault, endFaults, requireStatus } from '../../support/alarm-faults/alarm-fault.ts';
import { type FaultyStack, startFaultyStack } from '../../support/alarm-faults/faulty-stack.ts';
import { playFault } from '../../support/alarm-faults/play.ts';

/** One cause notifies once, also when it raises alarms of several pages. */

const timeout = 60_000;
let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack();
  await faulty.evaluate();
}, timeout);
afterAll(() => faulty?.close());

const tablesAway: AlarmFault = {
  alarm: 'EventsDropped',
  fault: 'DynamoDB answers every call with 500 while clients ask for tokens and an upload arrives',
  follows: ['ServerErrors', 'UploadsNotRecorded'],
  page: 'ApiInTrouble',
  stack: 'usual',
  cause: async ({ setFaults, issueUrl, upload, requestToken }) => {
    const url = await issueUrl();
    setFaults({ dynamodb: 'failing' });
    await upload(url);
    requireStatus('a request for a token', await requestToken(), 500);
  },
  mend: async (stack) => {
    await endFaults(stack);
    await stack.replay();
  },
};

test(
  'a failure of DynamoDB hits requests and uploads, and notifies once',
  async () => {
    expect(await playFault(faulty, tablesAway)).toEqual({
      raised: ['ApiInTrouble', 'EventsDropped', 'ServerErrors', 'UploadsInTrouble', 'UploadsNotRecorded'],
      notified: ['ApiInTrouble ALARM'],
      notifiedAfter: ['ApiInTrouble OK'],
      left: [],
    });
  },
  timeout,
);

test(
  'what lasts longer than the trouble of the API notifies then',
  async () => {
    const played = await playFault(faulty, { ...tablesAway, mend: endFaults });
    expect(played).toMatchObject({
      notified: ['ApiInTrouble ALARM'],
      notifiedAfter: ['ApiInTrouble OK', 'UploadsInTrouble ALARM'],
      left: ['UploadsInTrouble', 'UploadsNotRecorded'],
    });
  },
  timeout,
);
