import { createHash } from 'node:crypto';
import { storedVersions } from 'cloud-assembly-emulator/test/stored-versions';
import { daysAfter, textAttributes, timestamp, updateToDeleted } from '../../../storage/attributes.ts';
import { updateContent } from '../../../storage/file.ts';
import { createClient, getClient, revokeClient } from '../../../tools/operator/clients/client.ts';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { keyOf, readItem, updateItem } from '../../../tools/operator/deployment/items.ts';
import { createFile, getFile } from '../../../tools/operator/files/file.ts';
import { startAws } from '../../support/aws.ts';
import { admin, adminOf, failure } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();
const { deployment } = aws;
const run = adminOf(deployment);
const s3 = await s3Client(deployment);

let organisation: string;
let fileId: string;
let rounds = 0;
beforeEach(async () => {
  rounds += 1;
  organisation = `org-${rounds}`;
  fileId = await newFile('a', true);
});
afterEach(() => aws.deny(/^$/));

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
  const item = await readItem(deployment, 'upload', id);
  const recorded = textAttributes({ ...facts, state: 'completed', ...changes });
  await aws.putItem('uploads', { ...item, ...recorded });
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
  const [active, revoked, disabled, content, replaced, lately, lost, unused] = await Promise.all([
    newClient(),
    newClient(),
    newFile('disabled', false),
    newContent(),
    complete(9500, { superseded_at: ago(2) }),
    complete(5, { superseded_at: ago(0) }),
    issue(7000, { due_shard: '0', due_at: ago(1) }),
    issue(6000),
  ]);
  await revokeClient(deployment, revoked);
  await aws.putContent(lost, 'bytes that were never recorded');
  const item = await readItem(deployment, 'upload', unused);
  await aws.putItem('uploads', { ...item, delete_after: { N: '4000000000' } });
  const open = await issue(2, { file_id: disabled });
  const keys = [content, replaced, lately].map(({ key }) => key).concat(`uploads/${lost}`, `uploads/${open}`);
  const state = async () => ({
    organisation: await stored('organisation', organisation),
    clients: [await stored('client', active), await stored('client', revoked)],
    files: [await stored('file', fileId), await stored('file', disabled)],
    uploads: [
      await stored('upload', content.upload_id),
      await stored('upload', replaced.upload_id),
      await stored('upload', unused),
    ],
    lost: { ...(await stored('upload', lost)), due_at: 'later', due_shard: 'later' },
    version: await newestVersion(content.upload_id),
    lostSize: (await aws.contentOf(lost))?.size,
  });
  const before = await state();
  return { active, content, state, before, lost, open, keys };
}

type World = Awaited<ReturnType<typeof everything>>;

/** Returns the sizes of the versions of keys, in the order of the keys, newest first. */
const sizesOf = (keys: readonly string[]) =>
  Promise.all(
    keys.map(async (key) => {
      const versions = await storedVersions(aws.stateDirectory, deployment.outputs.BucketName ?? '', key);
      return versions.map(({ size }) => size);
    }),
  );

const remove = (noun: string, id: string, ...flags: readonly string[]) =>
  run(noun, 'delete', id, '--yes', ...flags);

const undelete = (...flags: readonly string[]) => run('organisation', 'undelete', organisation, ...flags);

/** Runs a command, and another action once while it waits. */
function beside(words: readonly string[], other: () => Promise<unknown>) {
  const others = [other];
  const duringWait = async () => {
    await others.pop()?.();
  };
  return admin(deployment, ['--local', ...words], {}, { duringWait });
}

const returned = async ({ state, before }: World) => expect(await state()).toEqual(before);

const ended = async ({ active, content, lost, open, state }: World) => {
  const { organisation: record, clients, files, uploads } = await state();
  expect(record).toHaveProperty('closed_at');
  const items = [...clients, ...files, ...uploads];
  expect(items.filter(({ delete_after, undeleted_at }) => undeleted_at ?? !delete_after)).toEqual([]);
  expect((await stored('upload', open)).state).toEqual({ S: 'cancelled' });
  const newest = await Promise.all([content.upload_id, lost].map(aws.contentOf));
  expect(newest.map((version) => version?.tags.tombstone)).toEqual(['superseded', 'superseded']);
  expect((await getClient(deployment, active)).secrets).toEqual([]);
};

const erased = async ({ keys }: World) => {
  expect(await stored('organisation', organisation)).toHaveProperty('closed_at');
  // A PUT may be in progress only for the last two.
  expect(await sizesOf(keys)).toEqual([[], [], [0], [], [0]]);
};

describe('an organisation', () => {
  test('returns with everything but secrets and open URLs', async () => {
    const world = await everything();
    expect(await newestVersion(world.content.upload_id)).toBe(world.content.version_id);
    await remove('organisation', organisation);
    const undeleted = await undelete('--json');
    expect(undeleted.json()).toMatchObject({
      clients: 2,
      files: 2,
      uploads: 6,
      content_lost: [],
      clients_without_secret: [world.active],
    });
    expect(undeleted.stderr).toContain(`client add-secret ${world.active}`);
    await returned(world);
    // The service records it, but not before the file has returned.
    const { due_at } = await stored('upload', world.lost);
    expect(Date.parse(due_at?.S ?? '')).toBeGreaterThan(Date.now());
    expect((await stored('upload', world.open)).state).toEqual({ S: 'cancelled' });
    expect((await getClient(deployment, world.active)).secrets).toEqual([]);
    expect((await run('client', 'add-secret', world.active)).code).toBe(0);
  });

  test('leaves deleted what was deleted before', async () => {
    const client = await newClient();
    await remove('client', client);
    await remove('file', fileId);
    const kept = await newFile('b', true);
    await remove('organisation', organisation);
    expect((await undelete('--json')).json()).toMatchObject({ clients: 0, files: 1 });
    expect(await getFile(deployment, fileId)).toHaveProperty('deleted_at');
    expect(await getFile(deployment, kept)).not.toHaveProperty('deleted_at');
  });

  test('takes back a file that a running deletion marks meanwhile', async () => {
    const late = await newFile('late', true);
    const mark = (kind: 'organisation' | 'file', id: string) =>
      updateItem(deployment, kind, updateToDeleted(keyOf(kind, id), ago(0)));
    await mark('organisation', organisation);
    await mark('file', fileId);
    const undeleted = await beside(['organisation', 'undelete', organisation, '--json'], () =>
      mark('file', late),
    );
    expect(undeleted.json()).toMatchObject({ files: 2, ended: 0 });
  });

  type Words = readonly [verb: string, ...flags: string[]];

  const type = ([verb, ...flags]: Words) => run('organisation', verb, organisation, ...flags);

  const undo: Words = ['undelete'];
  const deletion: Words = ['delete', '--yes'];
  const erasure: Words = ['delete', '--yes', '--erase'];
  /** The commands before the crash, the one that crashes, and the next one; the crash follows these writes. */
  const crashes = [
    // One for the organisation, two files, ten for their uploads and ends, four for clients, the organisation.
    { what: 'an undo', before: [deletion], crashing: undo, writes: [1, 15], next: deletion, check: ended },
    { what: 'an undo', before: [deletion], crashing: undo, writes: [9, 17], next: undo, check: returned },
    // Five marks, ten for the uploads, five ends.
    { what: 'a deletion', before: [], crashing: deletion, writes: [3, 13], next: undo, check: returned },
    { what: 'a deletion', before: [], crashing: deletion, writes: [9, 18], next: deletion, check: ended },
    // A third tombstone and six versions more.
    { what: 'an erasure', before: [], crashing: erasure, writes: [9, 16, 26], next: deletion, check: erased },
  ];

  test.for(crashes.flatMap(({ writes, ...crash }) => writes.map((count) => ({ ...crash, writes: count }))))(
    'after $what that crashed after $writes writes, $next.0 ends whole',
    async ({ before, crashing, writes, next, check }) => {
      const world = await everything();
      await Promise.all(before.map(type));
      aws.deny(/:(PutObject|UpdateItem|DeleteObjectVersion)$/, writes);
      expect((await type(crashing)).code).toBe(1);
      aws.deny(/^$/);
      await type(next);
      await check(world);
    },
  );

  test('is not taken back once it was created again', async () => {
    await remove('organisation', organisation);
    await aws.publishKeys('{"keys":[]}');
    const create = ['--organisation', organisation, '--name', 'n'];
    const later = adminOf({ ...deployment, now: () => Date.now() + 61_000 });
    expect((await later('file', 'create', ...create)).code).toBe(0);
    expect(await undelete()).toMatchObject(
      failure('clients and files of the earlier organisation stay deleted'),
    );
    expect(await run('file', 'undelete', fileId)).toMatchObject(
      failure('was created again after this deletion'),
    );
  });
});

describe('the undo of a file', () => {
  test('drops content that S3 no longer has, although other bytes are at its key', async () => {
    const { upload_id, key, version_id } = await newContent();
    await aws.putContent(upload_id, 'of a second PUT');
    await remove('file', fileId);
    await s3.deleteObject({ Bucket: deployment.outputs.BucketName, Key: key, VersionId: version_id });
    const undeleted = await run('file', 'undelete', fileId, '--json');
    expect(undeleted.json()).toMatchObject({ content_lost: true });
    expect(undeleted.stderr).toContain('does not return, because S3 no longer has it');
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
    await remove('organisation', organisation, '--erase');
    expect(await run('file', 'undelete', fileId)).toMatchObject(
      failure('so nothing of it can be undeleted.'),
    );
  });

  const expectStop = async (words: readonly string[], other: () => Promise<unknown>) =>
    expect(await beside(['file', ...words], other)).toMatchObject(
      failure('Another operator undoes the deletion'),
    );

  test('stops when a deletion begins', async () => {
    const { upload_id } = await newContent();
    await remove('file', fileId);
    await expectStop(['undelete', fileId], () => remove('file', fileId));
    expect(await stored('file', fileId)).toHaveProperty('delete_after');
    expect(await stored('upload', upload_id)).toHaveProperty('deleted_at');
  });

  test('stops a deletion', async () => {
    const { upload_id } = await newContent();
    await expectStop(['delete', fileId, '--yes'], () => run('file', 'undelete', fileId));
    expect(await stored('file', fileId)).not.toHaveProperty('deleted_at');
    expect(await stored('upload', upload_id)).not.toHaveProperty('deleted_at');
  });

  test('is rejected after an erasure, of a deleted file too', async () => {
    const { key } = await newContent();
    // A PUT that began before its URL expired may be in progress, so its tombstone stays.
    const lately = await complete(90);
    await remove('file', fileId);
    const erasure = await remove('file', fileId, '--erase');
    expect(erasure.stderr).toContain('This cannot be undone: content is erased immediately.');
    expect(erasure.stderr).toContain('All content was erased. Records without content are kept until 2');
    expect(erasure.stderr).not.toContain('file undelete');
    expect(await sizesOf([key, lately.key])).toEqual([[], [0]]);
    expect(await run('file', 'undelete', fileId)).toMatchObject(failure('was erased at 2'));
    expect((await run('file', 'enable-sync', fileId)).stderr).not.toContain('undelete');
  });

  test('a deletion beside an erasure does not complete it', async () => {
    const { key } = await newContent();
    const erase = updateToDeleted(keyOf('file', fileId), ago(0), true);
    await expectStop(['delete', fileId, '--yes'], () => updateItem(deployment, 'file', erase));
    await remove('file', fileId);
    expect(await sizesOf([key])).toEqual([[]]);
  });
});

test('a client that is not deleted cannot be undeleted', async () => {
  expect(await run('client', 'undelete', await newClient())).toMatchObject(
    failure('is not deleted. Nothing was changed.'),
  );
});
