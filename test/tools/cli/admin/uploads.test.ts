import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFile } from '../../../../tools/operator/files.ts';
import { replayUploads } from '../../../../tools/operator/replay-uploads.ts';
import { getUpload } from '../../../../tools/operator/uploads.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { admin } from '../../../support/run-admin.ts';

let aws: FakeAws;
let number = 0;
let uploadId: string;

beforeAll(async () => {
  aws = await startFakeAws();
  await createFile(aws.deployment, {
    organisationId: 'acme',
    name: 'n',
    syncEnabled: true,
    fileId: 'orders',
  });
});
afterAll(() => aws.stop());
beforeEach(async () => {
  aws.s3Script.length = 0;
  number += 1;
  uploadId = `0190b8a0-0000-7000-8000-${String(number).padStart(12, '0')}`;
  await putUpload({});
});

const run = (...parameters: readonly string[]) => admin(aws.deployment, ['--local', ...parameters]);

async function putUpload(changes: {
  readonly state?: string;
  readonly lifeSeconds?: number;
  readonly more?: Record<string, { S: string } | { N: string }>;
}): Promise<void> {
  const issued = Date.now() - 60_000;
  await aws.putItem('uploads', {
    upload_id: { S: uploadId },
    file_id: { S: 'orders' },
    organisation_id: { S: 'acme' },
    client_id: { S: 'client_1' },
    key: { S: `uploads/${uploadId}` },
    issued_at: { S: new Date(issued).toISOString() },
    expires_at: { S: new Date(issued + (changes.lifeSeconds ?? 3600) * 1000).toISOString() },
    state: { S: changes.state ?? 'issued' },
    ...changes.more,
  });
}

const completed = {
  state: 'completed',
  more: {
    size: { N: '3' },
    etag: { S: 'e' },
    version_id: { S: 'v' },
    completed_at: { S: '2026-01-01T00:00:00.000Z' },
  },
};

const cancelled = { state: 'cancelled', more: { cancelled_at: { S: '2026-01-01T00:00:00.000Z' } } };

describe('upload show', () => {
  test('an issued upload past its time is shown as expired', async () => {
    await putUpload({ lifeSeconds: 10 });
    expect((await run('upload', 'show', uploadId, '--json')).json()).toMatchObject({ state: 'expired' });
  });

  test('--watch ends with the upload', async () => {
    const watched = run('upload', 'show', uploadId, '--watch', '--json');
    await putUpload(completed);
    expect((await watched).json()).toMatchObject({ state: 'completed' });
  });

  test('one that expired lately is shown with what may still happen to it', async () => {
    await putUpload({ lifeSeconds: 10 });
    const shown = await run('upload', 'show', uploadId);
    expect(shown.stderr).toContain('A PUT that began before it expired may still be under way');
    expect(shown.stderr).toContain(`To refuse it: admin --local upload cancel ${uploadId}\n`);
    await putUpload({ lifeSeconds: -86_400 });
    expect((await run('upload', 'show', uploadId)).stderr).toBe('');
    await putUpload({});
    expect((await run('upload', 'show', uploadId)).stderr).toBe('');
  });

  test('says from which addresses it was asked for and sent', async () => {
    const from = { requested_from: { S: '192.0.2.1' }, uploaded_from: { S: '2001:db8::1' } };
    await putUpload({ ...completed, more: { ...completed.more, ...from } });
    const { stdout } = await run('upload', 'show', uploadId);
    expect(stdout).toMatch(/^Asked from +192\.0\.2\.1$/m);
    expect(stdout).toMatch(/^Sent from +2001:db8::1$/m);
  });

  test('one of an unknown id fails', async () => {
    expect(await run('upload', 'show', 'unknown')).toMatchObject({ code: 1, stdout: '' });
  });

  test('one whose content was sent as a form is shown with its type and a warning', async () => {
    const contentType = 'multipart/form-data; boundary=x';
    await putUpload(completed);
    aws.objects.set(`uploads/${uploadId}`, { body: '--x', contentType });
    const shown = await run('upload', 'show', uploadId, '--json');
    expect(shown.json()).toMatchObject({ content_type: contentType });
    expect(shown.stderr).toContain('warning: this content was sent as a form');
  });
});

describe('upload cancel', () => {
  test('closes the key with a tombstone and marks the upload', async () => {
    const shown = (await run('upload', 'cancel', uploadId, '--json')).json();
    expect(shown).toMatchObject({ state: 'cancelled', cancelled_at: expect.stringMatching(/Z$/) });
    expect(aws.objects.get(`uploads/${uploadId}`)).toEqual({ body: '', tagging: 'tombstone=cancelled' });
  });

  test.each([
    ['completed', completed],
    ['cancelled', cancelled],
  ])('of an upload that is %s says so and changes nothing', async (state, changes) => {
    await putUpload(changes);
    const before = await getUpload(aws.deployment, uploadId);
    const refused = await run('upload', 'cancel', uploadId);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(state) });
    expect(await getUpload(aws.deployment, uploadId)).toEqual(before);
    expect(aws.objects.has(`uploads/${uploadId}`)).toBe(false);
  });

  test('of an upload that is shown as expired closes the key too, for a PUT that is still under way', async () => {
    await putUpload({ lifeSeconds: 10 });
    expect((await run('upload', 'cancel', uploadId, '--json')).json()).toMatchObject({ state: 'cancelled' });
    expect(aws.objects.get(`uploads/${uploadId}`)).toEqual({ body: '', tagging: 'tombstone=cancelled' });
  });

  test('of an expired upload whose bytes have arrived changes nothing, and says where to look', async () => {
    await putUpload({ lifeSeconds: 10 });
    aws.objects.set(`uploads/${uploadId}`, { body: 'uploaded' });
    const refused = await run('upload', 'cancel', uploadId);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('has already arrived'),
    });
    expect(refused.stderr).toContain(`\n  admin --local upload show ${uploadId}\n  admin --local doctor\n`);
    expect((await getUpload(aws.deployment, uploadId)).state).toBe('expired');
  });

  test('finishes a cancel that was interrupted after its tombstone', async () => {
    aws.objects.set(`uploads/${uploadId}`, { body: '', tagging: 'tombstone=cancelled' });
    expect((await run('upload', 'cancel', uploadId, '--json')).json()).toMatchObject({ state: 'cancelled' });
  });

  test('waits for another write to the key to end (409 ConditionalRequestConflict)', async () => {
    aws.s3Script.push({ status: 409, code: 'ConditionalRequestConflict' });
    expect((await run('upload', 'cancel', uploadId, '--json')).json()).toMatchObject({ state: 'cancelled' });
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
    expect(events).toContainEqual({ index: 22 });
    expect(aws.queue.size).toBe(0);
  });

  test('keeps what fails, says why, and fails', async () => {
    aws.functions.set('record-upload', (event) =>
      JSON.stringify(event).includes('bad')
        ? { error: true, payload: { errorType: 'Error', errorMessage: 'unknown upload' } }
        : { payload: null },
    );
    aws.queue.set('good', '{"a":1}');
    aws.queue.set('bad', '{"a":"bad"}');
    aws.queue.set('none', 'not json');
    const replayed = await run('upload', 'replay', '--json');
    expect(replayed.code).toBe(1);
    expect(replayed.json()).toEqual({ replayed: 1, failed: 2 });
    expect(replayed.stderr).toContain('bad failed: unknown upload');
    expect(replayed.stderr).toContain('none failed: The message is not an event.');
    expect([...aws.queue.keys()].sort()).toEqual(['bad', 'none']);
  });

  test('leaves what Lambda throttles in the queue, says so, and goes on with the rest', async () => {
    const reasons: string[] = [];
    const invoked: unknown[] = [];
    aws.functions.set('record-upload', (event) => {
      invoked.push(event);
      return JSON.stringify(event).includes('busy') ? { throttled: true, payload: null } : { payload: null };
    });
    for (let index = 0; index < 25; index += 1) {
      aws.queue.set(`t${index}`, JSON.stringify(index < 11 ? { busy: index } : { index }));
    }
    const report = await replayUploads(aws.deployment, ({ reason }) => void reasons.push(reason));
    expect(report).toEqual({ replayed: 14, failed: 11 });
    expect(new Set(reasons)).toEqual(new Set(['The function takes no more invocations now.']));
    expect(aws.queue.size).toBe(11);
    expect(invoked).toContainEqual({ index: 24 });
  });
});
