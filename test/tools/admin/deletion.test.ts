import { createClient, getClient } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { seedFile } from '../console/support/seed.ts';
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
  await seedFile(aws.deployment, id, { organisationId: organisation, name });
  return id;
}

const newClient = () =>
  createClient(aws.deployment, { organisationId: organisation, name: 'Nightly', scopes: ['sync:create'] });

const run = adminOf(aws.deployment);

/** Stores an upload of the file, with a URL issued for one hour. @returns upload id */
const issue = (minutesAgo: number, changes: Readonly<Record<string, string>> = {}) =>
  putIssued(aws, minutesAgo, { file_id: fileId, organisation_id: organisation, ...changes });

/** Stores a completed upload with its content. @returns upload id */
async function complete(minutesAgo: number, changes: Readonly<Record<string, string>> = {}) {
  const completed = { state: 'completed', etag: 'etag', version_id: 'v', completed_at: daysAgo(1) };
  const id = await issue(minutesAgo, { ...completed, ...changes });
  await aws.putContent(id, 'x');
  return id;
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMilliseconds).toISOString();

const tagOf = async (uploadId: string) => (await aws.contentOf(uploadId))?.tags.tombstone;

async function timeToLiveOf(kind: 'file' | 'client' | 'upload', id: string) {
  const Key = { [`${kind}_id`]: { S: id } };
  const { Item } = await database.getItem({ TableName: `test-${kind}s`, Key });
  return Number(Item?.delete_after?.N) * 1000;
}

/** Stores one upload of each kind for the file. @returns upload ids by kind */
async function everyKind() {
  // The bytes arrived, but were never recorded.
  const lost = await issue(6000);
  await aws.putContent(lost, 'lost');
  return {
    replaced: await complete(9000, { superseded_at: daysAgo(1) }),
    longGone: await complete(90_000, { superseded_at: daysAgo(40) }),
    current: await complete(8000),
    unused: await issue(7000),
    lost,
    lately: await issue(90),
    outstanding: await issue(2),
  };
}

/** Returns the state after the deletion of a file, without values that differ between runs. */
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
  file: [true, true, true],
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
  test('ends every URL, the content and every record', async () => {
    const ids = await everyKind();
    const deleted = await run(`file delete ${fileId} --yes --json`);
    expect(deleted.code).toBe(0);
    expect(deleted.json()).toMatchObject({ file_id: fileId, uploads: 7, cancelled: 2 });
    expect(deleted.stderr).toContain(
      'The file was deleted, with 7 uploads. 2 upload URLs cancelled. Until 2',
    );
    expect(deleted.waits.length).toBeGreaterThan(0);
    expect(await endOf(ids)).toEqual(everythingEnded);
  });

  test('keeps records for the retention time, and until a late PUT has ended', async () => {
    const id = await issue(1);
    const { expires_at } = await getUpload(aws.deployment, id);
    const outputs = { ...aws.deployment.outputs, SupersededRetentionDays: '1' };
    const before = Date.now();
    await adminOf({ ...aws.deployment, outputs })(`file delete ${fileId} --yes`);
    const end = await timeToLiveOf('file', fileId);
    expect(end).toBeGreaterThanOrEqual(before + dayMilliseconds);
    expect(end).toBeLessThanOrEqual(Date.now() + dayMilliseconds + 1000);
    const endOfUpload = await timeToLiveOf('upload', id);
    expect(endOfUpload).toBeGreaterThanOrEqual(Date.parse(expires_at) + 24 * 3_600_000);
  });

  test('lists the data to delete before the question, and changes nothing', async () => {
    const ids = await everyKind();
    const before = await endOf(ids);
    const rejected = await run(`file delete ${fileId}`);
    expect(rejected).toMatchObject(
      failure(
        `This deletes the file "${fileId}" (a) of organisation "${organisation}": 7 uploads with 3.0 KiB of content, ` +
          'and 2 upload URLs through which bytes may still arrive. Clients get 404 for the file immediately. ' +
          `For 30 days, this can be undone: file undelete ${fileId}. Then AWS removes the deleted data.`,
        2,
      ),
    );
    expect(await endOf(ids)).toEqual(before);
  });

  test('frees the id of the file later', async () => {
    await run(`file delete ${fileId} --yes`);
    const taken = await run(`file create --organisation other --name n --id ${fileId}`);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(
      /was deleted at 2\S+Z\. Its id is free when DynamoDB has removed its record, within a few days after 2\S+Z\.\n$/,
    );
    expect((await run(`file show ${fileId}`)).stdout).toMatch(/^Syncing +deleted$/m);
  });

  test('leaves the file without an end when a URL cannot be cancelled', async () => {
    const id = await issue(1);
    aws.deny(/PutObject$/, 0, 1);
    const failed = await run(`file delete ${fileId} --yes`);
    expect(failed).toMatchObject(failure(`${id} failed: The AWS credentials do not allow this`));
    expect((await getFile(aws.deployment, fileId)).delete_after).toBeUndefined();
    expect((await run(`file delete ${fileId} --yes`)).code).toBe(0);
  });
});

test('a deletion goes on after a repair, and skips deleted uploads', async () => {
  await issue(9000);
  const item = uploadItem(0, { file_id: fileId, organisation_id: organisation });
  await aws.putItem('uploads', { ...item, size: { S: '' } });
  const line = `organisation delete ${organisation} --yes`;
  expect((await run(line)).code).toBe(1);
  await aws.putItem('uploads', item);
  expect((await run(`${line} --json`)).json()).toMatchObject({ uploads: 1 });
});

describe('client delete', () => {
  test('removes its secrets, cancels its URLs and keeps those of others', async () => {
    const { client_id } = await newClient();
    const mine = await issue(1, { client_id });
    const other = await issue(1);
    const deleted = await run(`client delete ${client_id} --yes --json`);
    expect(deleted.json()).toMatchObject({ client_id, cancelled: 1 });
    expect(deleted.stderr).toContain('The client was deleted. 1 upload URL cancelled. Until 2');
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    expect((await getUpload(aws.deployment, mine)).state).toBe('cancelled');
    expect((await getUpload(aws.deployment, other)).state).toBe('issued');
    expect(await timeToLiveOf('client', client_id)).toBeGreaterThan(Date.now() + 29 * dayMilliseconds);
  });
});

test.for(['reinstate', 'rotate-secret'])('a deleted client is not changed by %s', async (verb) => {
  const { client_id } = await newClient();
  await run(`client delete ${client_id} --yes`);
  const stderr = expect.stringContaining(`The client "${client_id}" was deleted at `);
  expect(await run(`client ${verb} ${client_id}`)).toMatchObject({ code: 1, stderr });
});

describe('organisation delete', () => {
  test('deletes its clients and files, and nothing of another', async () => {
    const { client_id } = await newClient();
    const second = await newFile('b');
    await issue(1, { file_id: second });
    const ids = await everyKind();
    await seedFile(aws.deployment, 'kept', { organisationId: `${organisation}-other` });
    expect((await run(`organisation delete ${organisation}`)).stderr).toContain(
      `This deletes everything of organisation "${organisation}": 1 client, 2 files, 8 uploads with 3.0 KiB of content, and 3 upload URLs through which bytes may still arrive. Its clients get no tokens, and 404 for its files. For 30 days, this can be undone: organisation undelete ${organisation}. Then AWS removes the deleted data.`,
    );

    const deleted = await run(`organisation delete ${organisation} --yes --json`);

    expect(deleted.json()).toMatchObject({ clients: 1, files: 2, uploads: 8, cancelled: 3 });
    expect(deleted.stderr).toContain(
      '1 client and 2 files were deleted, with 8 uploads. 3 upload URLs cancelled. Until 2',
    );
    expect(await endOf(ids)).toEqual(everythingEnded);
    expect((await getFile(aws.deployment, second)).delete_after).toBeDefined();
    expect(await getClient(aws.deployment, client_id)).toMatchObject({ status: 'revoked', secrets: [] });
    expect((await getFile(aws.deployment, 'kept')).deleted_at).toBeUndefined();
  });

  test.for(['organisation', 'file'])('of one %s again changes nothing', async (noun) => {
    const id = noun === 'file' ? fileId : organisation;
    await run(`${noun} delete ${id} --yes`);
    const ended = await getFile(aws.deployment, fileId);
    const again = await run(`${noun} delete ${id} --json`);
    expect(again.json()).toEqual({ [`${noun}_id`]: id, already_deleted: true });
    expect(again.stderr).toContain(`${noun} "${id}" is already deleted. Nothing was changed.\n`);
    expect(await getFile(aws.deployment, fileId)).toEqual(ended);
  });

  test('of one that has nothing fails', async () => {
    expect(await run('organisation delete nobody --yes')).toMatchObject(
      failure('There is no organisation "nobody".'),
    );
  });
});
