import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient, getClient } from '../../../../tools/operator/clients.ts';
import { createFile, getFile } from '../../../../tools/operator/files.ts';
import { getUpload } from '../../../../tools/operator/uploads.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { writeItems } from '../../../support/many-items.ts';
import { admin } from '../../../support/run-admin.ts';
import { uploadItem } from './lists/items.ts';

let aws: FakeAws;
let database: DynamoDBClient;
let organisation: string;
let fileId: string;
let rounds = 0;
let uploads = 0;

const dayMilliseconds = 86_400_000;

beforeAll(async () => {
  aws = await startFakeAws();
  database = new DynamoDBClient(
    aws.deployment.awsConfig as ConstructorParameters<typeof DynamoDBClient>[0] & {},
  );
});
afterAll(async () => {
  database.destroy();
  await aws.stop();
});
beforeEach(async () => {
  aws.writesLeft = Number.POSITIVE_INFINITY;
  aws.objects.clear();
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

const run = (...parameters: readonly string[]) => admin(aws.deployment, ['--local', ...parameters]);

interface UploadOptions {
  readonly minutesAgo?: number;
  readonly of?: string;
  readonly client?: string;
  readonly completed?: { readonly size: number; readonly supersededDaysAgo?: number };
}

async function putUpload(options: UploadOptions = {}): Promise<string> {
  const { minutesAgo = 1, of = fileId, client = 'client_1', completed } = options;
  uploads += 1;
  const issued = Date.now() - minutesAgo * 60_000;
  const time = issued.toString(16).padStart(12, '0');
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(uploads).padStart(12, '0')}`;
  const at = (milliseconds: number) => ({ S: new Date(milliseconds).toISOString() });
  await aws.putItem('uploads', {
    upload_id: { S: id },
    file_id: { S: of },
    organisation_id: { S: organisation },
    client_id: { S: client },
    key: { S: `uploads/${id}` },
    issued_at: at(issued),
    expires_at: at(issued + 3_600_000),
    state: { S: completed === undefined ? 'issued' : 'completed' },
    ...(completed !== undefined && {
      size: { N: String(completed.size) },
      etag: { S: 'etag' },
      version_id: { S: 'version' },
      completed_at: at(issued + 1000),
      ...(completed.supersededDaysAgo !== undefined && {
        superseded_at: at(Date.now() - completed.supersededDaysAgo * dayMilliseconds),
      }),
    }),
  });
  if (completed !== undefined) {
    aws.objects.set(`uploads/${id}`, { body: 'x' });
  }
  return id;
}

const tagOf = (uploadId: string) => aws.objects.get(`uploads/${uploadId}`)?.tagging;

async function timeToLiveOf(table: 'files' | 'clients' | 'uploads', key: Record<string, string>) {
  const Key = Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]));
  const { Item } = await database.send(new GetItemCommand({ TableName: table, Key }));
  return Number(Item?.delete_after?.N) * 1000;
}

/** A file with one upload of every kind. */
async function everyKind(of = fileId) {
  return {
    replaced: await putUpload({ of, minutesAgo: 9000, completed: { size: 10, supersededDaysAgo: 1 } }),
    longGone: await putUpload({ of, minutesAgo: 90_000, completed: { size: 1000, supersededDaysAgo: 40 } }),
    current: await putUpload({ of, minutesAgo: 8000, completed: { size: 5 } }),
    unused: await putUpload({ of, minutesAgo: 7000 }),
    lost: await lostUpload(of),
    lately: await putUpload({ of, minutesAgo: 90 }),
    outstanding: await putUpload({ of, minutesAgo: 2 }),
  };
}

/** An upload whose bytes arrived and were never recorded. */
async function lostUpload(of: string): Promise<string> {
  const id = await putUpload({ of, minutesAgo: 6000 });
  aws.objects.set(`uploads/${id}`, { body: 'lost' });
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
      return [name, [upload.state, tagOf(id), ...marks]] as const;
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
    current: ['completed', 'tombstone=superseded', true, true, true],
    unused: ['expired', undefined, true, true, true],
    lost: ['expired', 'tombstone=superseded', true, true, true],
    lately: ['cancelled', 'tombstone=cancelled', true, true, true],
    outstanding: ['cancelled', 'tombstone=cancelled', true, true, true],
  },
};

describe('file delete', () => {
  test('ends every URL, starts the retention of the content and gives every record its end', async () => {
    const ids = await everyKind();
    const deleted = await run('file', 'delete', fileId, '--yes', '--json');
    expect(deleted.code).toBe(0);
    expect(deleted.json()).toMatchObject({ file_id: fileId, uploads: 7, cancelled: 2, failed: 0 });
    expect(deleted.waits).toHaveLength(1);
    expect(await endOf(ids)).toEqual(everythingEnded);
  });

  test('keeps records for the retention time, and that of a URL until a late PUT must have ended', async () => {
    const id = await putUpload();
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

  test('names what goes before it asks and in --dry-run, and changes nothing', async () => {
    const ids = await everyKind();
    const before = await endOf(ids);
    const refused = await run('file', 'delete', fileId);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `This deletes the file "${fileId}" of organisation "${organisation}": 7 uploads with 15 bytes of content, ` +
        'and 2 upload URLs through which bytes may still arrive. This cannot be undone. ' +
        'AWS removes what was deleted after 30 days.',
    );
    const plan = await run('file', 'delete', fileId, '--dry-run', '--json');
    expect(plan.json()).toEqual({
      file_id: fileId,
      organisation_id: organisation,
      uploads: 7,
      outstanding: 2,
      bytes: 15,
      dry_run: true,
    });
    expect(await endOf(ids)).toEqual(before);
  });

  test('reaches the same end after a crash at each write', async () => {
    let writes = 0;
    for (; ; writes += 1) {
      fileId = await newFile(`crash-${writes}`);
      aws.objects.clear();
      const current = await putUpload({ minutesAgo: 8000, completed: { size: 5 } });
      const lost = await lostUpload(fileId);
      const outstanding = await putUpload();
      aws.writesLeft = writes;
      const first = await run('file', 'delete', fileId, '--yes');
      aws.writesLeft = Number.POSITIVE_INFINITY;
      if (first.code === 0) {
        break;
      }
      expect((await getFile(aws.deployment, fileId)).delete_after).toBeUndefined();
      expect((await run('file', 'delete', fileId, '--yes')).code).toBe(0);
      expect(await endOf({ current, lost, outstanding })).toEqual({
        file: everythingEnded.file,
        uploads: {
          current: everythingEnded.uploads.current,
          lost: everythingEnded.uploads.lost,
          outstanding: everythingEnded.uploads.outstanding,
        },
      });
    }
    // The file twice, each of three uploads once, two tombstones of content, and two writes for the cancelled URL.
    expect(writes).toBe(9);
  }, 60_000);

  test('of more uploads than a page ends each of them', async () => {
    const ids = Array.from({ length: 130 }, (_, hours) => hours);
    const superseded_at = '2026-03-02T00:00:00.000Z';
    await writeItems(
      aws,
      'uploads',
      ids.map((hours) => uploadItem(hours, { file_id: fileId, superseded_at })),
    );
    const deleted = await run('file', 'delete', fileId, '--yes', '--json');
    expect(deleted.json()).toMatchObject({ uploads: 130, failed: 0 });
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
    expect(again).toMatchObject({ code: 0 });
    expect(again.stderr).toContain('is already deleted. Nothing was changed.');
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
    expect((await run('file', 'show', fileId)).stdout).toMatch(/^Sync +deleted$/m);
  });

  test('of an unknown file fails', async () => {
    expect(await run('file', 'delete', 'nothing', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error: There is no file "nothing".'),
    });
  });

  test('leaves the file without an end when an upload cannot be ended', async () => {
    const id = await putUpload();
    aws.s3Script.push({ status: 403, code: 'AccessDenied' });
    const failed = await run('file', 'delete', fileId, '--yes');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(`${id} failed: The AWS credentials do not allow this`);
    expect(failed.stderr).toContain(
      `1 upload could not be deleted, so the deletion is not complete. Fix the cause, and delete again.\n  admin --local file delete ${fileId}\n`,
    );
    expect((await getFile(aws.deployment, fileId)).delete_after).toBeUndefined();
    expect((await run('file', 'delete', fileId, '--yes')).code).toBe(0);
  });
});

describe('client delete', () => {
  test('removes its secrets, ends its URLs and keeps those of others', async () => {
    const { client_id } = await newClient();
    const mine = await putUpload({ client: client_id });
    const other = await putUpload();
    const deleted = await run('client', 'delete', client_id, '--yes', '--json');
    expect(deleted.json()).toMatchObject({ client_id, cancelled: 1, failed: 0 });
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    expect((await getUpload(aws.deployment, mine)).state).toBe('cancelled');
    expect((await getUpload(aws.deployment, other)).state).toBe('issued');
    expect(await timeToLiveOf('clients', { client_id })).toBeGreaterThan(Date.now() + 29 * dayMilliseconds);
  });

  test('cannot be undone', async () => {
    const { client_id } = await newClient();
    await run('client', 'delete', client_id, '--yes');
    for (const command of [
      ['client', 'restore', client_id],
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
    const plan = await run('organisation', 'delete', organisation, '--dry-run', '--json');
    expect(plan.json()).toMatchObject({ clients: 1, files: 2, uploads: 14, outstanding: 4, bytes: 30 });
    const deleted = await run('organisation', 'delete', organisation, '--yes', '--json');
    expect(deleted.json()).toMatchObject({ clients: 1, files: 2, uploads: 14, cancelled: 4, failed: 0 });
    expect(await endOf(ids[0])).toEqual(everythingEnded);
    expect(await endOf(ids[1], second)).toEqual(everythingEnded);
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    expect((await getFile(aws.deployment, `${fileId}-other`)).deleted_at).toBeUndefined();
    expect((await run('organisation', 'delete', organisation)).stderr).toContain('is already deleted');
  });

  test('reaches the same end after a crash at each write', async () => {
    let writes = 0;
    for (; ; writes += 1) {
      rounds += 1;
      organisation = `org-${rounds}`;
      aws.objects.clear();
      fileId = await newFile('a');
      const second = await newFile('b');
      const { client_id } = await newClient();
      const upload = await putUpload({ of: second });
      const content = await putUpload({ minutesAgo: 100, completed: { size: 1 } });
      aws.writesLeft = writes;
      const first = await run('organisation', 'delete', organisation, '--yes');
      aws.writesLeft = Number.POSITIVE_INFINITY;
      if (first.code === 0) {
        break;
      }
      expect((await run('organisation', 'delete', organisation, '--yes')).code).toBe(0);
      for (const file of [fileId, second]) {
        expect((await getFile(aws.deployment, file)).delete_after).toBeDefined();
      }
      expect((await getClient(aws.deployment, client_id)).delete_after).toBeDefined();
      expect([tagOf(upload), tagOf(content)]).toEqual(['tombstone=cancelled', 'tombstone=superseded']);
    }
    // Client and two files twice, the outstanding URL three times, the content twice.
    expect(writes).toBe(11);
  }, 60_000);

  test('of one that has nothing fails', async () => {
    expect(await run('organisation', 'delete', 'nobody', '--yes')).toMatchObject({
      code: 1,
      stderr: 'error: There is no client and no file of organisation "nobody".\n',
    });
  });
});
