import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFile } from '../../../../tools/operator/files.ts';
import { getUpload } from '../../../../tools/operator/uploads.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { admin } from '../../../support/run-admin.ts';

let aws: FakeAws;
let fileId: string;
let files = 0;
let uploads = 0;

beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.stop());
beforeEach(async () => {
  aws.s3Script.length = 0;
  files += 1;
  fileId = `file-${files}`;
  await createFile(aws.deployment, { organisationId: 'acme', name: 'n', syncEnabled: true, fileId });
});

const run = (...flags: readonly string[]) =>
  admin(aws.deployment, ['--local', 'file', 'disable-sync', fileId, ...flags]);

const cancelAll = (...flags: readonly string[]) => run('--cancel-uploads', '--yes', ...flags);

interface UploadOptions {
  readonly minutesAgo?: number;
  readonly state?: string;
  readonly of?: string;
}

/** Puts an upload whose URL was issued so many minutes ago, for an hour. */
async function putUpload({ minutesAgo = 1, state = 'issued', of = fileId }: UploadOptions = {}) {
  uploads += 1;
  const issued = Date.now() - minutesAgo * 60_000;
  const time = issued.toString(16).padStart(12, '0');
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(uploads).padStart(12, '0')}`;
  const expires_at = new Date(issued + 3_600_000).toISOString();
  await aws.putItem('uploads', {
    upload_id: { S: id },
    file_id: { S: of },
    organisation_id: { S: 'acme' },
    client_id: { S: 'client_1' },
    key: { S: `uploads/${id}` },
    issued_at: { S: new Date(issued).toISOString() },
    expires_at: { S: expires_at },
    state: { S: state },
    ...(state === 'cancelled' && { cancelled_at: { S: new Date().toISOString() } }),
  });
  return { id, expires_at };
}

const stateOf = async (id: string) => (await getUpload(aws.deployment, id)).state;

describe('without --cancel-uploads', () => {
  test('says how many URLs still work, until when, and what to do', async () => {
    await putUpload({ minutesAgo: 30 });
    const last = await putUpload({ minutesAgo: 2 });
    await putUpload({ state: 'cancelled' });
    const disabled = await run();
    expect(disabled).toMatchObject({
      code: 0,
      stderr:
        `2 upload URLs are outstanding and still work until ${last.expires_at} at the latest.\n` +
        `To close all of them: admin --local file disable-sync ${fileId} --cancel-uploads\n`,
    });
    expect(disabled.stdout).toMatch(/^Sync +not enabled$/m);
    expect(await stateOf(last.id)).toBe('issued');
  });

  test('says it in JSON too, beside the attributes of the file', async () => {
    const { expires_at } = await putUpload();
    await putUpload({ minutesAgo: 90 });
    expect((await run('--json')).json()).toMatchObject({
      file_id: fileId,
      sync_enabled: false,
      uploads: { outstanding: 1, until: expires_at, recently_expired: 1 },
    });
  });

  test('speaks of a PUT that may be under way for a day after its URL has expired', async () => {
    await putUpload({ minutesAgo: 90 });
    await putUpload({ minutesAgo: 26 * 60 });
    const { stderr } = await run();
    expect(stderr).toContain('No upload URL of this file is outstanding.\n1 upload URL expired unused');
    expect(stderr).toContain('To close it: ');
    fileId = 'another-file';
    await createFile(aws.deployment, { organisationId: 'acme', name: 'n', syncEnabled: true, fileId });
    expect((await run()).stderr).toMatch(/^No upload URL of this file is outstanding\.\n$/);
  });
});

describe('with --cancel-uploads', () => {
  test('disables, cancels every URL of the file and no other, and sums up', async () => {
    const open = [
      await putUpload(),
      await putUpload({ minutesAgo: 59 }),
      await putUpload({ minutesAgo: 90 }),
    ];
    const other = await putUpload({ of: 'another-file' });
    const old = await putUpload({ minutesAgo: 26 * 60 });
    const closed = await cancelAll();
    expect(closed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/\n3 upload URLs cancelled, 0 finished before, 0 failed\.\n$/),
    });
    for (const { id } of open) {
      expect(await stateOf(id)).toBe('cancelled');
      expect(aws.objects.get(`uploads/${id}`)).toEqual({ body: '', tagging: 'tombstone=cancelled' });
    }
    expect(await stateOf(other.id)).toBe('issued');
    expect(await stateOf(old.id)).toBe('expired');
  });

  test('asks first, and changes nothing without an answer', async () => {
    const { id } = await putUpload();
    await putUpload({ minutesAgo: 90 });
    const refused = await run('--cancel-uploads');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      `This disables syncing for "${fileId}" and cancels 1 outstanding upload URL and 1 that expired unused in the last 24 hours. No terminal is attached`,
    );
    expect(await stateOf(id)).toBe('issued');
    const shown = await admin(aws.deployment, ['--local', 'file', 'show', fileId, '--json']);
    expect(shown.json()).toMatchObject({ sync_enabled: true });
  });

  test('waits for requests that had begun, and cancels what they issued', async () => {
    await putUpload();
    const late: string[] = [];
    const closed = await admin(
      aws.deployment,
      ['--local', 'file', 'disable-sync', fileId, '--cancel-uploads', '--yes', '--json'],
      {},
      { duringWait: async () => void late.push((await putUpload()).id) },
    );
    expect(closed.json()).toMatchObject({ uploads: { cancelled: 2, finished: 0, failed: 0 } });
    expect(await stateOf(late[0] ?? '')).toBe('cancelled');
    expect(closed.waits).toHaveLength(1);
    expect(closed.waits[0]).toBeGreaterThan(0);
    expect(closed.waits[0]).toBeLessThanOrEqual(12_000);
  });

  test('does not wait when syncing was disabled long ago', async () => {
    const longAgo = { S: new Date(Date.now() - 13_000).toISOString() };
    const texts = { file_id: { S: fileId }, organisation_id: { S: 'acme' }, name: { S: 'n' } };
    await aws.putItem('files', {
      ...texts,
      sync_enabled: { BOOL: false },
      created_at: longAgo,
      updated_at: longAgo,
    });
    expect((await cancelAll()).waits).toEqual([]);
  });

  test('counts uploads that finished in between, and does not fail for them', async () => {
    const { id } = await putUpload();
    await putUpload();
    aws.objects.set(`uploads/${id}`, { body: 'uploaded' });
    const closed = await cancelAll('--json');
    expect(closed.code).toBe(0);
    expect(closed.json()).toMatchObject({ uploads: { cancelled: 1, finished: 1, failed: 0 } });
    expect(await stateOf(id)).toBe('issued');
  });

  test('goes on after a failure, says which and why, and fails; another run does the rest', async () => {
    const { id } = await putUpload();
    await putUpload();
    const denied = { status: 403, code: 'AccessDenied' };
    aws.s3Script.push(denied, denied);
    const failed = await admin(
      aws.deployment,
      ['--local', 'file', 'disable-sync', fileId, '--cancel-uploads', '--yes', '--json'],
      {},
      { duringWait: async () => void aws.s3Script.push(denied, denied) },
    );
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({ sync_enabled: false, uploads: { cancelled: 0, failed: 2 } });
    expect(failed.stderr).toContain(`${id} failed: The AWS credentials do not allow this`);
    expect(failed.stderr).toContain(
      `2 upload URLs could not be cancelled and may still work. Fix the cause, and cancel them again.\n  admin --local file disable-sync ${fileId} --cancel-uploads\n`,
    );
    expect((await cancelAll('--json')).json()).toMatchObject({ uploads: { cancelled: 2, failed: 0 } });
    expect((await cancelAll('--json')).json()).toMatchObject({ uploads: { cancelled: 0, failed: 0 } });
  });

  test('stops when everything fails, and does not try the others', async () => {
    for (let index = 0; index < 40; index += 1) {
      await putUpload();
    }
    aws.s3Script.push(...Array(40).fill({ status: 403, code: 'AccessDenied' }));
    const failed = await cancelAll('--json');
    expect(failed.json()).toMatchObject({ uploads: { cancelled: 0, failed: 24 } });
    expect(failed.stderr).toContain('4 more are not listed.\n');
    expect(failed.stderr).toContain('The others were not tried.');
    expect(failed.waits).toEqual([]);
    expect(aws.s3Script).toHaveLength(16);
    aws.s3Script.length = 0;
    expect((await cancelAll('--json')).json()).toMatchObject({ uploads: { cancelled: 40 } });
  });
});
