import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { daysAfter, timestamp } from '../../../storage/attributes.ts';
import { updateContent } from '../../../storage/file.ts';
import { createClient, getClient, revokeClient } from '../../../tools/operator/clients/client.ts';
import { dynamoDBClient, s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { keyOf, readItem, updateItem } from '../../../tools/operator/deployment/items.ts';
import { createFile, getFile } from '../../../tools/operator/files/file.ts';
import { startAws } from '../../support/aws.ts';
import { admin, adminOf, failure } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();
const { deployment } = aws;
const run = adminOf(deployment);
const database = await dynamoDBClient(deployment);
const s3 = await s3Client(deployment);

let organisation: string;
let fileId: string;
let rounds = 0;
beforeEach(async () => {
  rounds += 1;
  organisation = `org-${rounds}`;
  fileId = await newFile('a', true);
});

async function newFile(name: string, syncEnabled: boolean): Promise<string> {
  const id = `file-${rounds}-${name}`;
  await createFile(deployment, { organisationId: organisation, name, syncEnabled, fileId: id });
  return id;
}

const newClient = async () => {
  const client = { organisationId: organisation, name: 'Nightly', scopes: ['sync:create'] as const };
  return (await createClient(deployment, { ...client, scopes: [...client.scopes] })).client_id;
};

const ago = (days: number) => daysAfter(timestamp(new Date()), -days);
/** The size that each stored upload has. */
const bytes = 'x'.repeat(1536);

const issue = (minutesAgo: number, changes: Readonly<Record<string, string>> = {}) =>
  putIssued(aws, minutesAgo, { file_id: fileId, organisation_id: organisation, ...changes });

/** Stores a recorded upload. */
async function complete(minutesAgo: number, changes: Readonly<Record<string, string>> = {}) {
  const id = await issue(minutesAgo);
  const version_id = await aws.putContent(id, bytes);
  const etag = createHash('md5').update(bytes).digest('hex');
  const facts = { upload_id: id, key: `uploads/${id}`, version_id, etag, completed_at: ago(3) };
  const Item = { ...(await readItem(deployment, 'upload', id)) };
  for (const [name, value] of Object.entries({ ...facts, state: 'completed', ...changes })) {
    Item[name] = { S: value };
  }
  await aws.putItem('uploads', Item);
  return { ...facts, size: bytes.length };
}

/** Stores the content of the file. */
async function newContent() {
  const content = await complete(9000);
  await updateItem(deployment, 'file', updateContent(fileId, undefined, content));
  return content;
}

/** Reads an item without its author and, of a client, its secrets. */
async function stored(kind: 'organisation' | 'client' | 'file' | 'upload', id: string) {
  const {
    updated_at: _at,
    updated_by: _by,
    secrets: _secrets,
    ...item
  } = (await readItem(deployment, kind, id)) ?? {};
  return item;
}

const newestVersion = async (id: string) =>
  (await s3.headObject({ Bucket: deployment.outputs.BucketName, Key: `uploads/${id}` })).VersionId;

/** Stores an organisation with each kind of client, file and upload. */
async function everything() {
  const [active, revoked] = [await newClient(), await newClient()];
  await revokeClient(deployment, revoked);
  const disabled = await newFile('disabled', false);
  const content = await newContent();
  const replaced = await complete(9500, { superseded_at: ago(2) });
  const lost = await issue(7000);
  await aws.putContent(lost, 'bytes that were never recorded');
  const unused = await issue(6000);
  const Key = keyOf('upload', unused);
  const end = { ':end': { N: '4000000000' } };
  await database.updateItem({
    TableName: 'test-uploads',
    Key,
    UpdateExpression: 'SET delete_after = :end',
    ExpressionAttributeValues: end,
  });
  await issue(6500, { file_id: disabled });
  const open = await issue(2);
  const state = async () => ({
    organisation: await stored('organisation', organisation),
    clients: [await stored('client', active), await stored('client', revoked)],
    files: [await stored('file', fileId), await stored('file', disabled)],
    uploads: [
      await stored('upload', content.upload_id),
      await stored('upload', replaced.upload_id),
      await stored('upload', unused),
    ],
    open: (await stored('upload', open)).state,
    lost: Object.keys(await stored('upload', lost))
      .filter((name) => /deleted|superseded|due/.test(name))
      .sort(),
    version: await newestVersion(content.upload_id),
    lostSize: (await aws.contentOf(lost))?.size,
  });
  return { active, revoked, content, state };
}

const remove = (noun: string, id: string, ...flags: readonly string[]) =>
  run(noun, 'delete', id, '--yes', ...flags);

describe('organisation undelete', () => {
  test('restores everything but secrets and open URLs', async () => {
    const { active, content, state } = await everything();
    const before = await state();
    expect(before.version).toBe(content.version_id);
    await remove('organisation', organisation);
    const undeleted = await run('organisation', 'undelete', organisation, '--json');
    expect(undeleted.json()).toMatchObject({
      clients: 2,
      files: 2,
      uploads: 6,
      content_lost: [],
      clients_without_secret: [active],
    });
    expect(undeleted.stderr).toContain(`client add-secret ${active}`);
    expect(await state()).toEqual({
      ...before,
      open: { S: 'cancelled' },
      // The service records it now.
      lost: ['due_at', 'due_shard'],
    });
    expect((await getClient(deployment, active)).secrets).toEqual([]);
    expect((await run('client', 'add-secret', active)).code).toBe(0);
  });

  test('leaves deleted what was deleted before', async () => {
    const client = await newClient();
    await remove('client', client);
    await remove('file', fileId);
    const kept = await newFile('b', true);
    await remove('organisation', organisation);
    expect((await run('organisation', 'undelete', organisation, '--json')).json()).toMatchObject({
      clients: 0,
      files: 1,
    });
    expect(await getFile(deployment, fileId)).toHaveProperty('deleted_at');
    expect(await getFile(deployment, kept)).not.toHaveProperty('deleted_at');
  });

  /** Undeletes an organisation, and simulates a crash after the given number of writes. */
  async function crashAfter(writes: number) {
    const { state } = await everything();
    const before = await state();
    await remove('organisation', organisation);
    aws.deny(/:(UpdateItem|DeleteObjectVersion)$/, writes);
    const { code } = await run('organisation', 'undelete', organisation);
    aws.deny(/^$/);
    return { code, before, state };
  }

  // Two each for the organisation and two files, one each for two clients and six uploads, two tombstones.
  const allWrites = 16;

  test.for(Array.from({ length: allWrites }, (_, writes) => writes))(
    'reaches the same end after a crash at write %i',
    async (writes) => {
      const { code, before, state } = await crashAfter(writes);
      expect(code).toBe(1);
      const repeated = await run('organisation', 'undelete', organisation, '--json');
      expect(repeated.json().clients_without_secret).toHaveLength(1);
      expect(await state()).toEqual({
        ...before,
        open: { S: 'cancelled' },
        lost: ['due_at', 'due_shard'],
      });
    },
  );

  test('writes no more than that', async () => {
    expect((await crashAfter(allWrites)).code).toBe(0);
  });

  test('that stopped can be deleted again', async () => {
    await crashAfter(8);
    expect((await remove('organisation', organisation)).code).toBe(0);
    expect(await stored('file', fileId)).toHaveProperty('delete_after');
    expect(await stored('organisation', organisation)).not.toHaveProperty('undeleted_at');
  });

  test('is rejected once the organisation was created again', async () => {
    await remove('organisation', organisation);
    await aws.publishKeys('{"keys":[]}');
    const create = ['--organisation', organisation, '--name', 'n', '--recreate-organisation'];
    expect((await run('file', 'create', ...create)).code).toBe(0);
    const again = failure('was created again after this deletion');
    expect(await run('organisation', 'undelete', organisation)).toMatchObject(again);
    expect(await run('file', 'undelete', fileId)).toMatchObject(again);
  });
});

describe('file undelete', () => {
  test('drops content that S3 no longer has as it was recorded', async () => {
    const { key, version_id } = await newContent();
    await remove('file', fileId);
    await s3.deleteObject({ Bucket: deployment.outputs.BucketName, Key: key, VersionId: version_id });
    const undeleted = await run('file', 'undelete', fileId, '--json');
    expect(undeleted.json()).toMatchObject({ content_lost: true });
    expect(undeleted.stderr).toContain('does not return, because S3 no longer has it as it was recorded');
    expect(await getFile(deployment, fileId)).not.toHaveProperty('content');
  });

  test('removes a delete marker above the content', async () => {
    const { upload_id, key, version_id } = await newContent();
    await remove('file', fileId);
    await s3.deleteObject({ Bucket: deployment.outputs.BucketName, Key: key });
    expect((await run('file', 'undelete', fileId)).code).toBe(0);
    expect(await newestVersion(upload_id)).toBe(version_id);
  });

  test('is rejected after the end of the record', async () => {
    await remove('file', fileId);
    const later = { ...deployment, now: () => Date.now() + 30 * 86_400_000 };
    const late = await admin(later, ['--local', 'file', 'undelete', fileId]);
    expect(late).toMatchObject(failure('its deletion cannot be undone'));
    expect(await getFile(deployment, fileId)).toHaveProperty('delete_after');
  });

  test('is rejected while the organisation is deleted', async () => {
    await remove('organisation', organisation);
    expect(await run('file', 'undelete', fileId)).toMatchObject(
      failure(`organisation undelete ${organisation}`),
    );
  });

  test.for([
    ['an undo', 'undelete', 'delete', 'deleted_at'],
    ['a deletion', 'delete', 'undelete', 'undeleted_at'],
  ] as const)('%s stops when the other begins', async ([, verb, other, mark]) => {
    await newContent();
    if (verb === 'undelete') {
      await remove('file', fileId);
    }
    let others = 0;
    const duringWait = async () => {
      others += 1;
      if (others === 1) {
        await run('file', other, fileId, ...(other === 'delete' ? ['--yes'] : []));
      }
    };
    const words = ['--local', 'file', verb, fileId, ...(verb === 'delete' ? ['--yes'] : [])];
    const stopped = await admin(deployment, words, {}, { duringWait });
    expect(stopped).toMatchObject(failure('Another operator undoes the deletion'));
    expect(Object.keys(await stored('file', fileId)).includes(mark)).toBe(other === 'delete');
  });
});

describe('client undelete', () => {
  test('restores a client with one new secret', async () => {
    const client = await newClient();
    const before = await stored('client', client);
    await remove('client', client);
    const undeleted = await run('client', 'undelete', client);
    expect(undeleted.stdout).toMatch(/^export FILE_SYNC_CLIENT_SECRET=fss_/m);
    expect(await stored('client', client)).toEqual(before);
    expect((await getClient(deployment, client)).secrets).toHaveLength(1);
    expect(await run('client', 'undelete', client)).toMatchObject(
      failure('is not deleted. Nothing was changed.'),
    );
  });
});
