import { beforeEach, describe, expect, test } from 'vitest';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startFakeAws } from '../../support/fake-aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { putIssued, uploadItem } from './items.ts';

const aws = await startFakeAws();
beforeEach(() => {
  aws.s3Script.length = 0;
});

const run = adminOf(aws.deployment);

/** Puts an upload whose URL was issued so many minutes ago, for an hour. @returns its id */
const issue = (minutesAgo = 1, changes: Readonly<Record<string, string>> = {}) =>
  putIssued(aws, minutesAgo, changes);

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
    const watched = run('upload', 'show', id, '--watch', '--json');
    await aws.putItem('uploads', uploadItem(0, { ...completed, upload_id: id }));
    expect((await watched).json()).toMatchObject({ upload_id: id, state: 'completed' });
  });

  test('one that expired lately is shown with what may still happen to it', async () => {
    const id = await issue(90);
    const shown = await run('upload', 'show', id);
    expect(shown.stdout).toMatch(/^State +expired$/m);
    expect(shown.stderr).toContain('A PUT that began before the URL expired may still be under way');
    expect(shown.stderr).toContain(
      `To refuse such a PUT, cancel the upload URL.\n  admin --local upload cancel ${id}\n`,
    );
    for (const quiet of [await issue(26 * 60), await issue()]) {
      expect((await run('upload', 'show', quiet)).stderr).toBe('');
    }
  });

  test('says from which addresses it was asked for and sent', async () => {
    const from = { requested_from: '192.0.2.1', uploaded_from: '2001:db8::1' };
    const { stdout } = await run('upload', 'show', await issue(1, { ...completed, ...from }));
    expect(stdout).toMatch(/^URL requested from +192\.0\.2\.1$/m);
    expect(stdout).toMatch(/^Content sent from +2001:db8::1$/m);
  });

  test('one of an unknown id fails', async () => {
    expect(await run('upload', 'show', 'unknown')).toMatchObject({ code: 1, stdout: '' });
  });

  test('one whose content was sent as a form is shown with its type and a warning', async () => {
    const contentType = 'multipart/form-data; boundary=x';
    const id = await issue(1, completed);
    aws.objects.set(`uploads/${id}`, { body: '--x', contentType });
    const shown = await run('upload', 'show', id, '--json');
    expect(shown.json()).toMatchObject({ content_type: contentType });
    expect(shown.stderr).toContain('Warning: this content was sent as a form');
  });
});

describe('upload cancel', () => {
  const cancel = async (id: string) => (await run('upload', 'cancel', id, '--json')).json();

  test('puts a tombstone and marks the upload, also after its time for a late PUT', async () => {
    for (const id of [await issue(), await issue(90)]) {
      expect(await cancel(id)).toMatchObject({
        state: 'cancelled',
        cancelled_at: expect.stringMatching(/Z$/),
      });
      expect(aws.objects.get(`uploads/${id}`)).toEqual({ body: '', tagging: 'tombstone=cancelled' });
    }
  });

  test.each([
    ['completed', completed],
    ['cancelled', cancelled],
    ['expired', { expires_at: '2026-01-01T00:00:00.000Z' }],
  ])('of an upload that is %s says so and changes nothing', async (state, changes) => {
    const id = await issue(1, changes);
    const before = await getUpload(aws.deployment, id);
    const refused = await run('upload', 'cancel', id);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(state) });
    expect(await getUpload(aws.deployment, id)).toEqual(before);
    expect(aws.objects.has(`uploads/${id}`)).toBe(false);
  });

  test('of an expired upload whose bytes have arrived changes nothing, and says where to look', async () => {
    const id = await issue(90);
    aws.objects.set(`uploads/${id}`, { body: 'uploaded' });
    const refused = await run('upload', 'cancel', id);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('has already arrived'),
    });
    expect(refused.stderr).toContain(`\n  admin --local upload show ${id}\n  admin --local doctor\n`);
    expect((await getUpload(aws.deployment, id)).state).toBe('expired');
  });

  test('finishes a cancel that was interrupted after its tombstone', async () => {
    const id = await issue();
    aws.objects.set(`uploads/${id}`, { body: '', tagging: 'tombstone=cancelled' });
    expect(await cancel(id)).toMatchObject({ state: 'cancelled' });
  });

  test('waits for another write to the key to end (409 ConditionalRequestConflict)', async () => {
    aws.s3Script.push({ status: 409, code: 'ConditionalRequestConflict' });
    expect(await cancel(await issue())).toMatchObject({ state: 'cancelled' });
  });
});

describe('upload replay', () => {
  beforeEach(() => aws.queue.clear());

  test('gives every event to record-upload and empties the queue', async () => {
    const events: unknown[] = [];
    aws.functions.set('record-upload', (event) => {
      events.push(event);
      return { payload: null };
    });
    for (let index = 0; index < 23; index += 1) {
      aws.queue.set(`m${index}`, JSON.stringify({ index }));
    }
    const replayed = await run('upload', 'replay', '--json');
    expect(replayed.json()).toEqual({ replayed: 23, failed: 0 });
    expect(events).toHaveLength(23);
    expect(events).toContainEqual({ index: 22, operator: aws.caller });
    expect(aws.queue.size).toBe(0);
  });

  test('keeps what fails or is throttled, says why, goes on with the rest, and fails', async () => {
    aws.functions.set('record-upload', (event) => {
      const text = JSON.stringify(event);
      const error = text.includes('bad');
      const payload = error ? { errorType: 'Error', errorMessage: 'unknown upload' } : null;
      return { error, throttled: text.includes('busy'), payload };
    });
    for (let index = 0; index < 24; index += 1) {
      aws.queue.set(`m${index}`, JSON.stringify(index < 11 ? { busy: index } : { index }));
    }
    aws.queue.set('bad', '{"a":"bad"}');
    aws.queue.set('none', 'not json');
    const replayed = await run('upload', 'replay', '--json');
    expect(replayed.code).toBe(1);
    expect(replayed.json()).toEqual({ replayed: 13, failed: 13 });
    expect(replayed.stderr).toContain(
      'm10: record-upload was not started: too many functions of the account are at work.',
    );
    expect(replayed.stderr).toContain('bad: record-upload failed: unknown upload.');
    expect(replayed.stderr).toContain('none: The message is not an event.');
    expect(aws.queue.size).toBe(13);
  });
});

describe('upload reconcile', () => {
  /** What a run answers: sums of what it found, with the rest 0. */
  const found = (counts: object) => ({
    payload: { recorded: 0, expired: 0, deleted: 0, done: 0, failed: 0, unfinished: false, ...counts },
  });

  test('goes on with the next run until nothing is due, and sums up', async () => {
    const runs = [
      { recorded: 3, unfinished: true },
      { deleted: 2, done: 4, unfinished: true },
      { expired: 1 },
    ];
    aws.functions.set('reconcile-uploads', () => found(runs.shift() ?? {}));
    const reconciled = await run('upload', 'reconcile', '--json');
    expect(reconciled.json()).toEqual({
      recorded: 3,
      expired: 1,
      deleted: 2,
      failed: 0,
      unfinished: false,
      runs: 3,
    });
    expect(reconciled.stderr).toContain(
      '3 uploads recorded, 0 found unused, replaced content of 2 deleted so far. More uploads are due: run 3 goes on.',
    );
  });

  test('ends when a run gets nowhere, and says that uploads are left', async () => {
    aws.functions.set('reconcile-uploads', () => found({ failed: 2, unfinished: true }));
    const reconciled = await run('upload', 'reconcile');
    expect(reconciled).toMatchObject({ code: 1, stdout: expect.stringContaining('were not looked at') });
    expect(reconciled.stderr).toContain('2 uploads could not be looked at');
  });

  test('that fails says why, and that it can be repeated', async () => {
    const payload = { errorType: 'Error', errorMessage: 'AccessDenied: see the log' };
    aws.functions.set('reconcile-uploads', () => ({ error: true, payload }));
    const failed = await run('upload', 'reconcile');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('reconcile-uploads failed: AccessDenied: see the log.');
    expect(failed.stderr).toContain('that is safe');
  });
});
