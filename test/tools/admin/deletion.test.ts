import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { createClient, getClient } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { createFile, getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { admin, adminOf } from '../../support/run-admin.ts';
import { putIssued, uploadItem } from './items.ts';

let organisation: string;
let fileId: string;
let rounds = 0;

const dayMilliseconds = 86_400_000;

const aws = await startAws();
const database = await dynamoDBClient(aws.deployment);
beforeEach(async () => {
  rounds += 1;
  organisation = `org-${rounds}`;
  fileId = await newFile('a');
});

async function newFile(name: string): Promise<string> {
  const id = `file-${rounds}-${name}`;
  await createFile(aws.deployment, { organisationId: organisation, name, syncEnabled: true, fileId: id });
  return id;
}

const newClient = () =>
  createClient(aws.deployment, { organisationId: organisation, name: 'Nightly', scopes: ['sync:create'] });

const run = adminOf(aws.deployment);

/** Puts an upload of the file, for an hour. @returns its id */
const issue = (minutesAgo: number, changes: Readonly<Record<string, string>> = {}) =>
  putIssued(aws, minutesAgo, { file_id: fileId, organisation_id: organisation, ...changes });

/** Puts a completed upload, and its content. @returns its id */
async function complete(minutesAgo: number, changes: Readonly<Record<string, string>> = {}) {
  const completed = { state: 'completed', etag: 'etag', version_id: 'v', completed_at: daysAgo(1) };
  const id = await issue(minutesAgo, { ...completed, ...changes });
  await aws.putContent(id, 'x');
  return id;
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMilliseconds).toISOString();

const tagOf = async (uploadId: string) => (await aws.contentOf(uploadId))?.tags.tombstone;

async function timeToLiveOf(table: 'files' | 'clients' | 'uploads', key: Record<string, string>) {
  const Key = Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]));
  const { Item } = await database.send(new GetItemCommand({ TableName: `test-${table}`, Key }));
  return Number(Item?.delete_after?.N) * 1000;
}

/** A file with one upload of every kind. */
async function everyKind(of = fileId) {
  const file_id = of;
  return {
    replaced: await complete(9000, { file_id, superseded_at: daysAgo(1) }),
    longGone: await complete(90_000, { file_id, superseded_at: daysAgo(40) }),
    current: await complete(8000, { file_id }),
    unused: await issue(7000, { file_id }),
    lost: await lostUpload(of),
    lately: await issue(90, { file_id }),
    outstanding: await issue(2, { file_id }),
  };
}

/** An upload whose bytes arrived and were never recorded. */
async function lostUpload(of: string): Promise<string> {
  const id = await issue(6000, { file_id: of });
  await aws.putContent(id, 'lost');
  return id;
}

/** What a deletion of a file leaves, with nothing that differs from run to run. */
async function endOf(ids: Readonly<Record<string, string>>, of = fileId) {
  const file = await getFile(aws.deployment, of);
  const states = await Promise.all(
    Object.entries(ids).map(async ([name, id]) => {
      const upload = await getUpload(aws.deployment, id);
      const marks = [upload.deleted_at, upload.delete_after, upload.superseded_at].map(
        (at) => at !== undefined,
      );
      return [name, [upload.state, await tagOf(id), ...marks]] as const;
    }),
  );
  return {
    file: [file.sync_enabled, file.deleted_at !== undefined, file.delete_after !== undefined],
    uploads: Object.fromEntries(states),
  };
}

const everythingEnded = {
  file: [false, true, true],
  uploads: {
    replaced: ['completed', undefined, true, true, true],
    longGone: ['completed', undefined, true, true, true],
    current: ['completed', 'superseded', true, true, true],
    unused: ['expired', undefined, true, true, true],
    lost: ['expired', 'superseded', true, true, true],
    lately: ['cancelled', 'cancelled', true, true, true],
    outstanding: ['cancelled', 'cancelled', true, true, true],
  },
};

describe('file delete', () => {
  test('cancels every URL, starts the retention of the content and gives every record its end', async () => {
    const ids = await everyKind();
    const deleted = await run('file', 'delete', fileId, '--yes', '--json');
    expect(deleted.code).toBe(0);
    expect(deleted.json()).toMatchObject({ file_id: fileId, uploads: 7, cancelled: 2 });
    expect(deleted.waits.length).toBeGreaterThan(0);
    expect(await endOf(ids)).toEqual(everythingEnded);
  });

  test('keeps records for the retention time, and that of a URL until a late PUT must have ended', async () => {
    const id = await issue(1);
    const { expires_at } = await getUpload(aws.deployment, id);
    const outputs = { ...aws.deployment.outputs, SupersededRetentionDays: '1' };
    const before = Date.now();
    await admin({ ...aws.deployment, outputs }, ['--local', 'file', 'delete', fileId, '--yes']);
    const end = await timeToLiveOf('files', { file_id: fileId });
    expect(end).toBeGreaterThanOrEqual(before + dayMilliseconds);
    expect(end).toBeLessThanOrEqual(Date.now() + dayMilliseconds + 1000);
    const endOfUpload = await timeToLiveOf('uploads', { upload_id: id });
    expect(endOfUpload).toBeGreaterThanOrEqual(Date.parse(expires_at) + 24 * 3_600_000);
  });

  test('names what goes before it asks, and changes nothing', async () => {
    const ids = await everyKind();
    const before = await endOf(ids);
    const refused = await run('file', 'delete', fileId);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `This deletes the file "${fileId}" (a) of organisation "${organisation}": 7 uploads with 3.0 KiB of content, ` +
        'and 2 upload URLs through which bytes may still arrive. Clients get 404 for the file immediately. ' +
        'This cannot be undone. AWS removes what was deleted after 30 days.',
    );
    expect(await endOf(ids)).toEqual(before);
  });

  test('of more uploads than a page ends each of them', async () => {
    const ids = Array.from({ length: 130 }, (_, hours) => hours);
    const superseded_at = '2026-03-02T00:00:00.000Z';
    const items = ids.map((hours) => uploadItem(hours, { file_id: fileId, superseded_at }));
    await Promise.all(items.map((item) => aws.putItem('uploads', item)));
    const deleted = await run('file', 'delete', fileId, '--yes', '--json');
    expect(deleted.json()).toMatchObject({ uploads: 130 });
    const { data } = (await run('upload', 'list', '--file', fileId, '--json')).json();
    const ended = (data as { delete_after?: string }[]).filter(
      ({ delete_after }) => delete_after !== undefined,
    );
    expect(ended).toHaveLength(130);
  });

  test('again changes nothing', async () => {
    await run('file', 'delete', fileId, '--yes');
    const ended = await getFile(aws.deployment, fileId);
    const again = await run('file', 'delete', fileId);
    expect(again).toMatchObject({
      code: 0,
      stdout: `The file "${fileId}" is already deleted. Nothing was changed.\n`,
    });
    expect(await getFile(aws.deployment, fileId)).toEqual(ended);
  });

  test('takes the file from every change, and says why', async () => {
    await run('file', 'delete', fileId, '--yes');
    for (const command of [
      ['file', 'enable-sync', fileId],
      ['file', 'disable-sync', fileId],
      ['file', 'rename', fileId, '--name', 'new'],
    ]) {
      const refused = await run(...command);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`The file "${fileId}" was deleted at `);
    }
    const taken = await run('file', 'create', '--organisation', 'other', '--name', 'n', '--id', fileId);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(/was deleted at .* Its id is free when DynamoDB has removed its record/);
    expect((await run('file', 'show', fileId)).stdout).toMatch(/^Syncing +deleted$/m);
  });

  test('leaves the file without an end when a URL cannot be cancelled', async () => {
    const id = await issue(1);
    aws.deny(/PutObject$/, 0, 1);
    const failed = await run('file', 'delete', fileId, '--yes');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(`${id} failed: The AWS credentials do not allow this`);
    expect((await getFile(aws.deployment, fileId)).delete_after).toBeUndefined();
    expect((await run('file', 'delete', fileId, '--yes')).code).toBe(0);
  });
});

test('a deletion goes on once a damaged upload is repaired', async () => {
  const item = uploadItem(0, { file_id: fileId, organisation_id: organisation });
  await aws.putItem('uploads', { ...item, size: { S: '' } });
  const words = ['organisation', 'delete', organisation, '--yes'];
  expect((await run(...words)).code).toBe(1);
  await aws.putItem('uploads', item);
  expect((await run(...words, '--json')).json()).toMatchObject({ uploads: 1 });
});

describe('client delete', () => {
  test('removes its secrets, cancels its URLs and keeps those of others', async () => {
    const { client_id } = await newClient();
    const mine = await issue(1, { client_id });
    const other = await issue(1);
    const deleted = await run('client', 'delete', client_id, '--yes', '--json');
    expect(deleted.json()).toMatchObject({ client_id, cancelled: 1 });
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    expect((await getUpload(aws.deployment, mine)).state).toBe('cancelled');
    expect((await getUpload(aws.deployment, other)).state).toBe('issued');
    expect(await timeToLiveOf('clients', { client_id })).toBeGreaterThan(Date.now() + 29 * dayMilliseconds);
  });

  test('cannot be undone', async () => {
    const { client_id } = await newClient();
    await run('client', 'delete', client_id, '--yes');
    for (const command of [
      ['client', 'reinstate', client_id],
      ['client', 'rotate-secret', client_id],
      ['client', 'add-secret', client_id],
      ['client', 'rename', client_id, '--name', 'n'],
      ['client', 'set-scopes', client_id, '--scope', 'volume:read'],
    ]) {
      const refused = await run(...command);
      expect(refused.stderr, command.join(' ')).toContain(`The client "${client_id}" was deleted at `);
      expect(refused.code).toBe(1);
    }
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
  });
});

describe('organisation delete', () => {
  test('deletes its clients and files, and nothing of another', async () => {
    const { client_id } = await newClient();
    const second = await newFile('b');
    const ids = [await everyKind(), await everyKind(second)] as const;
    await createFile(aws.deployment, {
      organisationId: `${organisation}-other`,
      name: 'n',
      syncEnabled: true,
      fileId: `${fileId}-other`,
    });
    expect((await run('organisation', 'delete', organisation)).stderr).toContain(
      '1 client, 2 files, 14 uploads with 6.0 KiB of content, and 4 upload URLs',
    );
    const deleted = await run('organisation', 'delete', organisation, '--yes', '--json');
    expect(deleted.json()).toMatchObject({ clients: 1, files: 2, uploads: 14, cancelled: 4 });
    expect(await endOf(ids[0])).toEqual(everythingEnded);
    expect(await endOf(ids[1], second)).toEqual(everythingEnded);
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    expect((await getFile(aws.deployment, `${fileId}-other`)).deleted_at).toBeUndefined();
    expect((await run('organisation', 'delete', organisation)).stdout).toContain('is already deleted');
  });

  test('reaches the same end after a crash at each write', async () => {
    let writes = 0;
    for (; ; writes += 1) {
      rounds += 1;
      organisation = `org-${rounds}`;
      fileId = await newFile('a');
      const second = await newFile('b');
      const { client_id } = await newClient();
      const ids = { current: await complete(8000), lost: await lostUpload(fileId) };
      const outstanding = await issue(1, { file_id: second });
      aws.deny(/:(Put|Update)(Item|Object)$/, writes);
      const first = await run('organisation', 'delete', organisation, '--yes');
      aws.deny(/^$/);
      if (first.code === 0) {
        break;
      }
      expect((await getClient(aws.deployment, client_id)).delete_after).toBeUndefined();
      expect((await run('organisation', 'delete', organisation, '--yes')).code).toBe(0);
      const { current, lost, outstanding: cancelled } = everythingEnded.uploads;
      expect(await endOf(ids)).toEqual({ file: everythingEnded.file, uploads: { current, lost } });
      expect(await endOf({ outstanding }, second)).toMatchObject({ uploads: { outstanding: cancelled } });
      expect((await getClient(aws.deployment, client_id)).delete_after).toBeDefined();
    }
    // Client and two files twice, each of three uploads once, two tombstones of content, and two writes for the URL.
    expect(writes).toBe(13);
  }, 60_000);

  test('of one that has nothing fails', async () => {
    expect(await run('organisation', 'delete', 'nobody', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no client and no file of organisation "nobody".'),
    });
  });
});
