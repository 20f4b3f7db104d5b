import { setImmediate as gather } from 'node:timers/promises';
import * as v from 'valibot';
import { eventDetails } from '../../../contract/upload-event-schemas.ts';
import { createBatchReader } from '../../../lambdas/reconcile-uploads/batch-reader.ts';
import {
  checkExpectedFiles,
  createExpectedFiles,
  type ExpectedDependencies,
} from '../../../lambdas/reconcile-uploads/expected-files.ts';
import { pointFile } from '../../../lambdas/shared/recording/point-file.ts';
import { createReadItem, createTables } from '../../../lambdas/shared/recording/recording-tables.ts';
import type { IssuedUpload } from '../../../storage/upload.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import type { ActionContext } from '../../../tools/operator/description/action.ts';
import { planFileDeletion, undeleteFile } from '../../../tools/operator/files/deletion.ts';
import { createFile, setExpected, setSyncEnabled } from '../../../tools/operator/files/file.ts';
import { resumeOrganisation, suspendOrganisation } from '../../../tools/operator/organisations/suspend.ts';
import { id } from '../shared/recording/fake-store.ts';
import { names, startStorage } from '../shared/recording/support.ts';
import { recordingLog } from '../support/log.ts';

/** A time, in hours after the file `orders` is first watched. */
const time = (hours: number) => new Date(Date.parse('2026-01-31T09:00:00.000Z') + hours * 3_600_000);

const daily = { every_seconds: 86_400, grace_seconds: 7200 };

/** Starts to watch a file, with an interval of 24 hours and a grace time of 2 hours. */
async function startWatch() {
  const { deployment, dynamodb, addFile, readFile } = await startStorage();
  const by = (hours: number): Deployment => ({ ...deployment, now: () => time(hours).getTime() });
  const owned = { organisationId: 'acme', name: 'Orders', syncEnabled: true };
  await createFile(by(0), { ...owned, fileId: 'orders' });
  await setExpected(by(0), 'orders', daily);
  const tables = createTables(dynamodb, names, createReadItem(dynamodb));
  const expected = createExpectedFiles(
    dynamodb,
    names.files,
    createBatchReader(dynamodb, () => gather()),
  );
  const events: { readonly event_id: string; readonly expected_by?: string }[] = [];
  const { log, values, lines } = recordingLog();
  const sendEvent: ExpectedDependencies['sendEvent'] = async (kind, detail) => {
    events.push(v.parse(eventDetails[kind], detail));
    return undefined;
  };
  return {
    events,
    lines,
    addFile,
    dynamodb,
    tables,
    expected,
    file: () => readFile('orders'),
    /** Acts as an operator at this hour. */
    by,
    contextAt: (hours: number): ActionContext => ({
      deployment: by(hours),
      sleep: async () => undefined,
      progress: () => undefined,
      note: () => undefined,
    }),
    /** Checks the files at this hour. Returns the new deadlines that were missed, and the metrics. */
    check: async (hours: number, others: Partial<ExpectedDependencies> = {}) => {
      const [sent, logged] = [events.length, values.length];
      const now = () => time(hours);
      await checkExpectedFiles({ expected, sendEvent, hasTime: () => true, now, log, ...others });
      const missed = events.slice(sent).map(({ expected_by = '' }) => Date.parse(expected_by));
      return {
        missed: missed.map((at) => (at - time(0).getTime()) / 3_600_000),
        values: values.slice(logged),
      };
    },
    /** Records content of an upload that arrived at an hour. */
    record: (upload: number, arrived: number, recorded = arrived, from = tables) => {
      const completed_at = time(arrived).toISOString();
      const completion = { version_id: `v${upload}`, size: upload, etag: `e${upload}`, completed_at };
      const issued = { upload_id: id(upload), file_id: 'orders', key: `uploads/${id(upload)}` };
      const dependencies = { tables: from, now: () => time(recorded), log };
      return pointFile(issued as IssuedUpload, completion, dependencies);
    },
  };
}

const none = { missed: [], values: [] };
const overdue = { values: [{ FilesOverdue: 1 }] };

test('five periods: on time, late, never, out of order, and recorded late', async () => {
  const { check, record } = await startWatch();
  const arrivals: Readonly<Record<number, () => Promise<unknown>>> = {
    23: () => record(1, 23),
    51: () => record(2, 51),
    102: () => record(3, 102),
    110: () => record(5, 110),
    // Issued earlier, and not the content. Issued later, with bytes that arrived earlier.
    112: () => record(4, 112),
    113: () => record(6, 105, 113),
    137: () => record(7, 130, 137),
  };
  const missed: string[] = [];
  const raised: number[] = [];
  for (let hour = 1; hour <= 161; hour += 1) {
    await arrivals[hour]?.();
    const { missed: deadlines, values } = await check(hour);
    missed.push(...deadlines.map((deadline) => `${deadline} at ${hour}`));
    raised.push(...(values.length > 0 ? [hour] : []));
  }
  expect(missed).toEqual(['49 at 49', '77 at 77', '101 at 101', '136 at 136', '160 at 160']);
  const from77to101 = Array.from({ length: 25 }, (_, index) => 77 + index);
  expect(raised).toEqual([49, 50, ...from77to101, 136, 160, 161]);
});

test('content that arrived before the current interval does not reset an overdue file', async () => {
  const { check, record } = await startWatch();
  await check(26);
  await record(1, 1, 28);
  expect(await check(28)).toMatchObject({ missed: [], ...overdue });
});

test('the event contains the interval, the missed deadline and the last content', async () => {
  const { check, record, events } = await startWatch();
  await record(1, 3);
  await check(29);
  const expected_by = time(29).toISOString();
  expect(events).toEqual([
    {
      schema_version: 1,
      event_id: `orders.${expected_by}.overdue`,
      file_id: 'orders',
      organisation_id: 'acme',
      name: 'Orders',
      ...daily,
      expected_by,
      last_upload_id: id(1),
      last_completed_at: time(3).toISOString(),
    },
  ]);
});

describe('the watch of a file pauses', () => {
  type Watch = Awaited<ReturnType<typeof startWatch>>;

  test.for<readonly [string, (watch: Watch) => Promise<unknown>, (watch: Watch) => Promise<unknown>]>([
    [
      'while syncing is disabled',
      ({ by }) => setSyncEnabled(by(27), 'orders', false),
      ({ by }) => setSyncEnabled(by(60), 'orders', true),
    ],
    [
      'while its organisation is suspended',
      ({ contextAt }) => suspendOrganisation(contextAt(27), 'acme', false),
      ({ contextAt }) => resumeOrganisation(contextAt(60), 'acme'),
    ],
    [
      'while it is deleted',
      async ({ contextAt }) => (await planFileDeletion(contextAt(27), 'orders', false)).run(contextAt(27)),
      ({ contextAt }) => undeleteFile(contextAt(60), 'orders'),
    ],
  ])('%s, and then a new period starts', async ([, pause, resume]) => {
    const watch = await startWatch();
    expect(await watch.check(26)).toMatchObject(overdue);
    await pause(watch);
    expect([await watch.check(27), await watch.check(54)]).toEqual([none, none]);
    await resume(watch);
    expect(await watch.check(85.9)).toEqual(none);
    expect((await watch.check(86)).missed).toEqual([86]);
  });

  test('and content that arrives meanwhile does not resume it', async () => {
    const { by, record, check, file } = await startWatch();
    await setSyncEnabled(by(1), 'orders', false);
    await record(1, 2);
    expect(await check(28)).toEqual(none);
    expect(await file()).not.toHaveProperty('expected_by');
  });
});

test('a watch with a new interval starts a new period, and ends on request', async () => {
  const { by, check, file } = await startWatch();
  await setExpected(by(1), 'orders', { every_seconds: 3600, grace_seconds: 0 });
  expect((await check(2)).missed).toEqual([2]);
  await setExpected(by(2), 'orders', undefined);
  expect(await check(99)).toEqual(none);
  expect(await file()).not.toHaveProperty('expected');
});

test('content is recorded, although its watch ends meanwhile', async () => {
  const { by, tables, record, check, file } = await startWatch();
  const readFileContent: typeof tables.readFileContent = async (fileId) => {
    const read = await tables.readFileContent(fileId);
    await setExpected(by(1), 'orders', undefined);
    return read;
  };
  expect(await record(1, 1, 1, { ...tables, readFileContent })).toBe('pointed');
  expect(await check(27)).toEqual(none);
  expect(await file()).not.toHaveProperty('expected_state');
});

test('two runs at the same time announce a deadline under one event_id', async () => {
  const { check, events } = await startWatch();
  await Promise.all([check(26), check(26)]);
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(1);
  expect(await check(27)).toMatchObject({ missed: [], ...overdue });
});

test('a file whose content arrives during its check is not overdue', async () => {
  const { check, record, expected, file } = await startWatch();
  const find: typeof expected.find = async (fileId) => {
    const read = await expected.find(fileId);
    await record(1, 26);
    return read;
  };
  expect((await check(26, { expected: { ...expected, find } })).values).toEqual([]);
  expect(await file()).toMatchObject({ expected_state: 'waiting', expected_by: time(52).toISOString() });
});

describe('a run that fails', () => {
  test('between the event and the write sends the same event again', async () => {
    const { check, expected, events, file } = await startWatch();
    const update = () => Promise.reject(new Error('crash'));
    const crashed = await check(26, { expected: { ...expected, update } });
    expect(crashed.values).toEqual([{ ReconciliationsFailed: 1 }, { FilesOverdue: 1 }]);
    expect((await check(27)).missed).toEqual([26]);
    expect(events[0]).toEqual(events[1]);
    expect(await file()).toMatchObject({ expected_state: 'overdue', expected_by: time(50).toISOString() });
  });

  test('to send an event sends it in the next run', async () => {
    const { check, lines } = await startWatch();
    await check(26, { sendEvent: async () => 'ThrottlingException' });
    expect(lines).toMatchObject([
      {
        file_id: 'orders',
        error_message: 'EventBridge did not take the event of file orders: ThrottlingException',
      },
      { overdue: 1 },
    ]);
    expect((await check(27)).missed).toEqual([26]);
  });

  test('to read a damaged file checks the others', async () => {
    const { by, check, addFile, dynamodb, lines } = await startWatch();
    await addFile('damaged');
    await setExpected(by(0), 'damaged', daily);
    await dynamodb.updateItem({
      TableName: names.files,
      Key: { file_id: { S: 'damaged' } },
      UpdateExpression: 'REMOVE sync_enabled',
    });
    expect((await check(26)).missed).toEqual([26]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'ERROR', file_id: 'damaged', error_name: 'StoredDataError' }),
    );
  });
});

test('after days without a run, a file is announced once, and then at its former times', async () => {
  const { check } = await startWatch();
  expect((await check(75)).missed).toEqual([26]);
  expect((await check(97.9)).missed).toEqual([]);
  expect((await check(98)).missed).toEqual([98]);
});

test('a run without time leaves the files to the next run', async () => {
  const { check } = await startWatch();
  expect(await check(26, { hasTime: () => false })).toEqual(none);
  expect((await check(27)).missed).toEqual([26]);
});

test('a run checks a batch of files at a time, until its time is over', async () => {
  const { check, expected } = await startWatch();
  const list = async () => Array.from({ length: 125 }, (_, index) => `file${index}`);
  const [times, found]: [boolean[], string[]] = [[true, true, false], []];
  const find = async (fileId: string) => void found.push(fileId);
  const hasTime = () => {
    found.push('checked');
    return times.shift() ?? false;
  };
  await check(26, { expected: { ...expected, list, find }, hasTime });
  expect(found.flatMap((id, index) => (id === 'checked' ? index : []))).toEqual([0, 101, 202]);
});
