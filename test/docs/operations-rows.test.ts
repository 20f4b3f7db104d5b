import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { rotateSecret } from '../../tools/operator/clients/client.ts';
import { getFile } from '../../tools/operator/files/file.ts';
import { listSigningKeys } from '../../tools/operator/signing-keys/signing-key.ts';
import { getUpload } from '../../tools/operator/uploads/upload.ts';
import { type ApiUser, createApiUser } from '../support/api-user.ts';
import { fetchToken } from '../support/fetch-token.ts';
import { adminOf } from '../support/run-admin.ts';
import { withRateLimit } from '../support/running-stack.ts';
import { useRunningStack } from '../support/use-running-stack.ts';
import { readRows, startTyping, type Typist } from './support/operations-rows.ts';
import { copyFiles, loseFile } from './support/tables.ts';

/**
 * Tests the table at the top of docs/operations.md. Each case causes the problem of a row, runs the commands
 * of the row as written, and expects the problem to be solved.
 */

const rows = await readRows();
const chaos = { maxDelayMilliseconds: 0, doubled: 0, dropped: 0 };
const yes = { keys: 'yes\r' };

const folder = await temporaryFolder();
const stack = await useRunningStack({
  eventChaos: chaos,
  throttled: true,
  changeTemplate: withRateLimit(20, 'POST /v0/files/{fileId}/sync'),
});

const operator = adminOf(stack.deployment);
const newUser = () => createApiUser(stack);
const contentOf = async (fileId: string) => (await getFile(stack.deployment, fileId)).content;
const upload = (uploadId: string) => getUpload(stack.deployment, uploadId);

const succeed = async (run: ReturnType<typeof operator>) => expect(await run).toMatchObject({ code: 0 });

/**
 * Returns the status of a request with a token, by default the first one, sent to functions that start now:
 * running ones may cache the key set for five minutes.
 */
async function statusOf({ volumes }: ApiUser, token?: string): Promise<number> {
  await stack.endIdleEnvironments();
  return (await volumes(token)).status;
}

async function signingKid(): Promise<string> {
  const keys = await listSigningKeys(stack.deployment);
  return keys.find(({ signs }) => signs)?.kid ?? '';
}

/** By the row. */
const cases: Readonly<Record<string, (typist: Typist) => Promise<void>>> = {
  'A client says 401': async ({ type }) => {
    const { client, requestToken } = await newUser();
    const { client_id: CLIENT_ID } = client;
    await rotateSecret(stack.deployment, CLIENT_ID, 0);
    const rejected = await requestToken();
    expect(rejected.status).toBe(401);
    const ID = rejected.headers.get('apigw-requestid') ?? '';
    expect((await type('request count --outcome rejected')).stdout).toMatch(
      new RegExp(`^${CLIENT_ID} .*secret`, 'm'),
    );
    const explained = await type('request show ID', { ID });
    expect(explained.stdout).toContain('The client secret is wrong.');
  },

  'A client says 429': async ({ type }) => {
    const user = await newUser();
    const fileId = await user.newFile();
    const flood = await Promise.all(Array.from({ length: 60 }, () => user.sync('unknown')));
    expect(flood.map(({ status }) => status)).toContain(429);
    await expect.poll(async () => (await user.sync(fileId)).status).toBe(200);
    expect((await type('request count --since 1h')).stdout).toContain(user.client.client_id);
  },

  'What failed in the last hour?': async ({ type }) => {
    const { client, sync, requestToken } = await newUser();
    const rejected = (await sync('unknown')).headers.get('apigw-requestid') ?? '';
    setFaults(stack.stateDirectory, { dynamodb: 'failing' });
    const failed = (await requestToken()).headers.get('apigw-requestid') ?? '';
    setFaults(stack.stateDirectory, {});
    const failures = await type('request list --since 1h --status 5xx');
    expect(failures.stdout).toMatch(new RegExp(` 500 +${failed} .*POST /oauth/token`));
    const rejections = await type('request list --since 1h --status 4xx');
    expect(rejections.stdout).toMatch(new RegExp(` 404 +${rejected} .*not_found +${client.client_id}`));
  },

  'I have a request id': async ({ type }) => {
    const { client, sync } = await newUser();
    const rejected = await sync('unknown');
    const ID = rejected.headers.get('apigw-requestid') ?? '';
    const { stdout } = await type('request show ID', { ID });
    expect(stdout).toContain(client.client_id);
    expect(stdout).toContain('404');
  },

  'I have another id, a part of a name or an S3 address': async ({ type }) => {
    const user = await newUser();
    const { uploadId } = await user.issue();
    const { stdout } = await type('search TEXT', { TEXT: `s3://bucket/uploads/${uploadId}` });
    expect(stdout).toContain(uploadId);
  },

  'An upload URL rejects the bytes': async () => {
    const user = await newUser();
    const { put } = await user.issue();
    await put('first');
    const rejected = await put('second');
    expect(await readFile('docs/operations.md', 'utf8')).toContain(
      `\n| ${rejected.status} from the upload URL |`,
    );
  },

  'Uploads are not recorded': async ({ type }) => {
    const user = await newUser();
    const issued = await user.issue();
    setFaults(stack.stateDirectory, { dynamodb: 'failing' });
    await issued.put('content');
    await stack.eventsSettled();
    setFaults(stack.stateDirectory, {});
    expect((await type('doctor')).stdout).toMatch(/^FAIL +dead letters/m);
    await succeed(type('upload replay'));
    expect((await upload(issued.uploadId)).state).toBe('completed');
    expect((await operator('doctor')).stdout).toMatch(/^ok +dead letters/m);
  },

  'An upload is missing': async ({ type }) => {
    const user = await newUser();
    const fileId = await user.newFile();
    chaos.dropped = 1;
    const { uploadId } = await user.store('content', fileId);
    chaos.dropped = 0;
    const listed = await type('upload list --file ID', { ID: fileId });
    expect(listed.stdout).toMatch(new RegExp(`${uploadId}.*issued`));
    const shown = await type('upload show ID', { ID: uploadId });
    expect(shown.stderr).toMatch(/^Stored, but no event/);
    const named = await type('upload reconcile --upload ID', { ID: uploadId });
    expect(named.stdout).toMatch(/^1 upload recorded/);
    expect(await contentOf(fileId)).toMatchObject({ upload_id: uploadId });
    const rest = await type('upload reconcile --file ID', { ID: fileId });
    expect(rest.stdout).toMatch(/^0 uploads recorded/);
  },

  'Recorded, but my consumer got no event': async ({ type }) => {
    const user = await newUser();
    const { uploadId: ID } = await user.store('content');
    expect((await type('upload show ID', { ID })).stdout).toContain(`Announced: ${ID}.completed`);
    await succeed(type('upload announce ID', { ID }));
    await succeed(type('upload announce --since 2h', {}, yes));
    await stack.eventsSettled();
    const sent = stack.sentEvents.filter(({ detail }) => detail.upload_id === ID);
    expect(sent.map(({ detail }) => detail.event_id)).toEqual(Array(3).fill(`${ID}.completed`));
  },

  'A URL leaked': async ({ type }) => {
    const user = await newUser();
    const fileId = await user.newFile();
    const [one, another] = [await user.issue(fileId), await user.issue(fileId)];
    await succeed(type('upload cancel ID', { ID: one.uploadId }));
    expect((await one.put('content')).status).toBe(412);
    await succeed(type('file disable-sync ID --cancel-uploads', { ID: fileId }, yes));
    expect((await another.put('content')).status).toBe(412);
    expect((await user.sync(fileId)).status).toBe(409);
  },

  'A secret, a token or a key leaked': async ({ type }) => {
    const [leaked, user] = [await newUser(), await newUser()];
    await type('client rotate-secret ID --grace 0s', { ID: leaked.client.client_id });
    expect((await leaked.requestToken()).status).toBe(401);
    await succeed(type('signing-key revoke-all', {}, yes));
    expect(await statusOf(leaked)).toBe(401);
    const token = await user.newToken();
    await succeed(type('signing-key revoke KID', { KID: await signingKid() }, yes));
    expect(await statusOf(user, token)).toBe(401);
    expect(await statusOf(user, await user.newToken())).toBe(200);
  },

  'A secret in use ends soon': async ({ type }) => {
    const { client, requestToken } = await newUser();
    const { client_id: ID } = client;
    const old = await rotateSecret(stack.deployment, ID, 0, 86_400);
    const { client_secret, secret_id: S } = old;
    await requestToken({ client_secret });
    expect((await type('doctor')).stdout).toMatch(new RegExp(`^warn +secrets .* ${ID}: ${S}, .*, ends`, 'm'));
    await succeed(type('client rotate-secret ID --grace 14d --ends 180d', { ID }));
    const shown = await type('client show ID', { ID });
    expect(shown.stdout).toMatch(
      new RegExp(`${S}, .*, last used 2.*\n.*, ends 2.*, not used in the last 30 days\n`),
    );
    const removed = await type('client remove-secret ID --secret-id S', { ID, S }, yes);
    expect(removed.stderr).toContain(`The secret ${S} was removed: last used 2`);
    expect((await operator('doctor')).stdout).toMatch(/^ok +secrets /m);
    expect((await requestToken({ client_secret })).status).toBe(401);
  },

  'Who uploaded this, and from where?': async ({ type }) => {
    const user = await newUser();
    const { uploadId: ID } = await user.store('content');
    const { stdout } = await type('upload show ID', { ID });
    expect(stdout).toContain(user.client.client_id);
    expect(stdout).toMatch(/URL .*127\.0\.0\.1$/m);
    expect(stdout).toMatch(/ sent.* 127\.0\.0\.1\b/);
  },

  'A file has 7 GB': async ({ upload }) => {
    const PATH = join(folder, 'large');
    const file = await open(PATH, 'w');
    await file.truncate(7_000_000_000);
    await file.close();
    const user = await newUser();
    const ID = await user.newFile();
    const rejected = await upload(user, 'npm run -s upload -- PATH --file ID', { PATH, ID });
    expect(rejected).toMatchObject({ code: 6, stderr: expect.stringContaining('Nothing was sent.') });
  },

  'The bill doubled': async ({ type }) => {
    const { client, requestToken } = await newUser();
    const { client_id: ID } = client;
    await Promise.all(Array.from({ length: 20 }, requestToken));
    expect((await type('request count --since 7d')).stdout).toMatch(
      new RegExp(`^${ID} .*Access token issued +21 `, 'm'),
    );
    expect((await type('request count --since 7d --by organisation')).stdout).toMatch(/acme +Access token/);
    await succeed(type('client revoke ID', { ID }));
    expect((await requestToken()).status).toBe(401);
  },

  'Something was deleted by mistake': async ({ type }) => {
    const user = await createApiUser(stack, 'mistaken');
    const ID = await user.newFile();
    await user.store('content', ID);
    const { client_id } = user.client;
    await operator(`file delete ${ID} --yes`);
    await operator(`client delete ${client_id} --yes`);
    await succeed(type('file undelete ID', { ID }));
    const client = await type('client undelete ID', { ID: client_id });
    const [, clientSecret = ''] = /^export FILE_SYNC_CLIENT_SECRET=(.*)$/m.exec(client.stdout) ?? [];
    await fetchToken(stack.baseUrl, { clientId: client_id, clientSecret });
    expect((await user.sync(ID)).status).toBe(200);
    expect((await operator(`file download ${ID} --output -`)).stdout).toBe('content');
    await succeed(operator('organisation delete mistaken --yes'));
    await succeed(type('organisation undelete ID', { ID: 'mistaken' }));
    expect((await user.sync(ID)).status).toBe(200);
  },

  'Items of a table are lost or damaged': async ({ type }) => {
    const user = await newUser();
    const fileId = await user.newFile();
    const later = await user.issue(fileId);
    const before = await user.store('before', fileId);
    await copyFiles(stack.deployment, 'COPY');
    await loseFile(stack.deployment, fileId);
    expect((await user.sync(fileId)).status).toBe(404);
    expect((await later.put('later')).status).toBe(200);
    await stack.eventsSettled();
    await succeed(type('restore --from-table COPY', {}, yes));
    expect(await contentOf(fileId)).toMatchObject({ upload_id: before.uploadId });
    await succeed(type('upload replay'));
    expect(await upload(later.uploadId)).toMatchObject({ state: 'completed' });
    expect((await user.sync(fileId)).status).toBe(200);
  },
};

test('every row with a command has a case, and every case a row', () => {
  const tested = [...rows].filter(([row, commands]) => commands.length > 0 || row in cases);
  expect(Object.keys(cases)).toEqual(tested.map(([row]) => row));
});

test.for(Object.entries(cases))('%s', async ([row, act]) => {
  const typist = startTyping(stack, rows.get(row) ?? []);
  await act(typist);
  expect([...typist.left]).toEqual([]);
});
