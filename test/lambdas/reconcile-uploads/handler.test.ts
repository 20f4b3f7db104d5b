import { timestamp } from '../../../storage/attributes.ts';
import { noon } from '../../support/signing-keys.ts';
import { startStorage, stubRecording } from '../shared/recording/support.ts';
import { printedBy } from '../support/log.ts';

const storage = await startStorage();
beforeEach(() => stubRecording(storage));
// The function reads its variables when it is loaded, so each test reloads it.
afterEach(() => vi.resetModules());

const [stored, unused] = ['019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49', '019c1b2e-7d3a-7002-8f43-5e0d1c2b3a4f'];

const counts = { recorded: 0, announced: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0 };
const nothing = { ...counts, unfinished: false };

const withMinutes = (minutes: number) => ({ getRemainingTimeInMillis: () => minutes * 60_000 });

/** Returns the result of the function and its log lines. */
async function run(event: unknown, context = withMinutes(5)) {
  const { handler } = await import('../../../lambdas/reconcile-uploads/handler.ts');
  let summary: unknown;
  const lines = await printedBy(async () => {
    summary = await handler(event, context).catch((error: Error) => error.message);
  });
  return { summary, lines };
}

const minutesLater = (minutes: number) => timestamp(new Date(noon.getTime() + minutes * 60_000));

/** Runs the function this number of minutes after noon, by its own clock. */
async function runAt(minutes: number, event: object = {}, context = withMinutes(5)) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(minutesLater(minutes)) });
  return (await run(event, context)).summary;
}

describe('the function that reconciles uploads', () => {
  test('does the uploads that are due, by its own clock', async () => {
    await storage.addFile('orders.csv');
    await storage.addUpload(stored, 'orders.csv');
    await storage.addUpload(unused, 'orders.csv');
    const versionId = await storage.putContent(stored, 'orders');

    expect(await runAt(69, { time: '2099-01-01T00:00:00.000Z' })).toEqual({ ...nothing, unchanged: 2 });
    expect(await runAt(70, {}, withMinutes(0.5))).toEqual({ ...nothing, unfinished: true });
    expect(await runAt(70, { time: minutesLater(0) })).toEqual({ ...nothing, recorded: 1, expired: 1 });
    const facts = { state: 'completed', size: 6, version_id: versionId };
    expect(await storage.readUpload(stored)).toMatchObject(facts);
    expect(await storage.readUpload(unused)).toMatchObject({ state: 'issued', expired_at: minutesLater(70) });
    const sent = storage.events.map((event) => `${event['detail-type']} ${event.detail.upload_id}`);
    expect(sent.toSorted()).toEqual([`Upload Completed ${stored}`, `Upload Expired ${unused}`]);
  });

  test('records the stored ones of the uploads that an operator names, before they are due', async () => {
    const [named = '', other = '', open = ''] = [1, 2, 3].map((digit) => stored.replace(/.$/, `${digit}`));
    await Promise.all([named, other, open].map((each) => storage.addUpload(each, 'orders.csv')));
    await Promise.all([named, other].map((each) => storage.putContent(each, 'orders')));
    const request = { uploads: [named, open], time: minutesLater(200), operator: 'ada' };

    expect(await runAt(1, request)).toEqual({ ...nothing, recorded: 1, unchanged: 1 });
    const after = await Promise.all([named, other, open].map(storage.readUpload));
    expect(after.map(({ state }) => state)).toEqual(['completed', 'issued', 'issued']);
    expect(after[2]).not.toHaveProperty('expired_at');
  });

  test('sends the last events again, each with its event_id, and no other', async () => {
    const uploads = [stored, unused, stored.replace(/.$/, '3')];
    const sent = () => storage.events.map(({ detail }) => JSON.stringify(detail)).toSorted();
    const first = sent().filter((text) => uploads.some((each) => text.includes(`"upload_id":"${each}`)));
    storage.events.length = 0;

    expect(await runAt(100, { announce: true, uploads })).toEqual({ ...nothing, announced: 2, unchanged: 1 });
    expect(sent()).toEqual(first);
  });

  test.for([
    ['101 uploads', Array(101).fill(stored)],
    ['a text that is no id', ['../x']],
  ] as const)('rejects a request for %s', async ([, uploads]) => {
    expect(await runAt(300, { uploads })).toMatch(/: see the log of the function$/);
  });

  test('records a PUT that ended after the last check, if an operator names it', async () => {
    const uploads = ['5', '6'].map((digit) => stored.replace(/.$/, digit));
    const [late = ''] = uploads;
    await Promise.all(uploads.map((each) => storage.addUpload(each, 'orders.csv')));
    await runAt(1510);
    await storage.putContent(late, 'orders');

    expect(await runAt(1570)).toMatchObject({ recorded: 0, failed: 0 });
    expect(await runAt(1570, { uploads })).toEqual({ ...nothing, recorded: 1, unchanged: 1 });
    expect(await runAt(1570, { uploads })).toEqual({ ...nothing, unchanged: 2 });
  });

  test('fails without detail when the due uploads cannot be read', async () => {
    vi.stubEnv('UPLOADS_TABLE_NAME', 'hush');
    const { summary, lines } = await run({});
    expect(summary).toMatch(/: see the log of the function$/);
    expect(lines).toMatchObject([
      { level: 'ERROR', message: 'Upload or file could not be reconciled', ReconciliationsFailed: 1 },
    ]);
  });
});
