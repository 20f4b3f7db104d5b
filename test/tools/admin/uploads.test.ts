import { setFaults } from 'cloud-assembly-emulator/faults';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { putIssued, uploadItem } from './items.ts';

const aws = await startAws();

const run = adminOf(aws.deployment);

/**
 * Stores an upload whose URL was issued the given number of minutes ago, for one hour.
 *
 * @returns upload id
 */
const issue = (minutesAgo = 1, changes = {}) => putIssued(aws, minutesAgo, changes);

const completed = {
  state: 'completed',
  etag: 'e',
  version_id: 'v',
  completed_at: '2026-01-01T00:00:00.000Z',
};

const cancelled = { state: 'cancelled', cancelled_at: '2026-01-01T00:00:00.000Z' };

describe('upload show', () => {
  test('--watch ends with the upload', async () => {
    const id = await issue();
    const duringWait = () => aws.putItem('uploads', uploadItem(0, { ...completed, upload_id: id }));
    const watched = await adminOf(aws.deployment, { duringWait })(`upload show ${id} --watch --json`);
    expect(watched.waits).toEqual([1000]);
    expect(watched.json()).toMatchObject({ upload_id: id, state: 'completed' });
  });

  test.for([26 * 60, 90, 1])('one issued %i min ago is shown without a warning', async (minutesAgo) => {
    expect((await run('upload show', await issue(minutesAgo))).stderr).toBe('');
  });
});

describe('upload cancel', () => {
  const cancel = async (id: string) => (await run(`upload cancel ${id} --json`)).json();

  test.for([1, 90])('puts a tombstone for a URL of %i min ago, and marks it', async (minutesAgo) => {
    const id = await issue(minutesAgo);
    expect(await cancel(id)).toMatchObject({
      state: 'cancelled',
      cancelled_at: expect.stringMatching(/Z$/),
    });
    expect(await aws.contentOf(id)).toMatchObject({ size: 0, tags: { tombstone: 'cancelled' } });
  });

  test.for([
    ['completed', completed],
    ['cancelled', cancelled],
    ['expired', { expires_at: '2026-01-01T00:00:00.000Z' }],
  ] as const)('of an upload that is %s is an error, and changes nothing', async ([state, changes]) => {
    const id = await issue(1, changes);
    const before = await getUpload(aws.deployment, id);
    const rejected = await run(`upload cancel ${id}`);
    const stderr = expect.stringContaining(
      ` already ${state}, so no other content can arrive. Nothing was changed.\n  admin --local upload show ${id}\n`,
    );
    expect(rejected).toMatchObject({ code: 1, stdout: '', stderr });
    expect(await getUpload(aws.deployment, id)).toEqual(before);
    expect(await aws.contentOf(id)).toBeUndefined();
  });

  test('rejects an expired upload whose bytes have arrived', async () => {
    const id = await issue(90);
    await aws.putContent(id, 'uploaded');
    const rejected = await run(`upload cancel ${id}`);
    expect(rejected).toMatchObject(
      failure(
        'is already stored, and about to be completed, so no other content can arrive. Nothing was changed.\n',
      ),
    );
    expect(rejected.stderr).toContain(`\n  admin --local upload show ${id}\n`);
    expect((await getUpload(aws.deployment, id)).state).toBe('expired');
  });

  test('finishes a cancel that was interrupted after its tombstone', async () => {
    const id = await issue();
    await aws.putContent(id, '', { Tagging: 'tombstone=cancelled' });
    expect(await cancel(id)).toMatchObject({ state: 'cancelled' });
  });

  test('waits for another write to the key to end (409)', async () => {
    setFaults(aws.stateDirectory, { s3: [{ fault: 'conflict', calls: 1 }] });
    const cancelled = await adminOf(aws.as('ada'))('upload cancel', await issue(), '--json');
    expect(cancelled.json()).toMatchObject({ state: 'cancelled' });
  });
});

describe('upload replay', () => {
  test('sends all events to record-upload, and keeps those that fail', async () => {
    const recorded: unknown[] = [];
    aws.functions.set('record-upload', (event) => {
      if (JSON.stringify(event).includes('bad')) {
        throw new Error('unknown upload');
      }
      recorded.push(event);
    });
    const bad = Array.from({ length: 11 }, (_, index) => ({ bad: index }));
    const letters = [...bad, { good: 1 }, { good: 2 }].map((event) => JSON.stringify(event));
    const [id = ''] = await Promise.all(letters.map(aws.sendLetter));
    const none = await aws.sendLetter('not json');

    const replayed = await run('upload replay --json');

    expect(replayed.code).toBe(1);
    expect(replayed.json()).toEqual({ replayed: 2, failed: 12 });
    const operator = 'arn:aws:iam::000000000000:user/operator';
    expect(recorded).toEqual(expect.arrayContaining([1, 2].map((good) => ({ good, operator }))));
    expect(replayed.stderr).toContain(`${id}: record-upload failed: unknown upload.`);
    expect(replayed.stderr).toContain(`${none}: The message is not an event.`);
    expect(replayed.stderr).toContain(
      'error: 12 events could not be recorded and stayed in the queue. Read the log of the record-upload function, fix the cause and replay the events again.\n  admin --local upload replay\n',
    );
    expect(await aws.letters()).toBe(12);
  });
});

describe('upload reconcile', () => {
  /** Creates the response of a run. Counts that are not given are 0. */
  const found = (counts: object) => ({
    ...{ recorded: 0, expired: 0, deleted: 0, done: 0, failed: 0, unfinished: false },
    ...counts,
  });

  test('prints the counts as JSON', async () => {
    aws.functions.set('reconcile-uploads', () => found({ recorded: 3, deleted: 2, expired: 1 }));
    const counts = { recorded: 3, announced: 0, expired: 1, deleted: 2, failed: 0, unfinished: false };
    expect((await run('upload reconcile --json')).json()).toEqual(counts);
  });

  test('shows that a run ended early, and the number of failures', async () => {
    aws.functions.set('reconcile-uploads', () => found({ failed: 2, unfinished: true }));
    const reconciled = await run('upload reconcile');
    expect(reconciled).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'Some due uploads were not checked: the service continues every five minutes.',
      ),
    });
    expect(reconciled.stderr).toContain(
      '2 uploads could not be checked, and will be checked again in an hour. Read the log of the reconcile-uploads function, and fix the cause.',
    );
  });

  test('that fails prints the reason, and that it can be repeated', async () => {
    aws.functions.set('reconcile-uploads', () => Promise.reject(new Error('AccessDenied: see the log')));
    const failed = await run('upload reconcile');
    expect(failed).toMatchObject(
      failure(
        'reconcile-uploads failed: AccessDenied: see the log. Read the log of the function. Reconcile the uploads again: that is safe, even while the function is running.\n  admin --local upload reconcile\n',
      ),
    );
  });
});
