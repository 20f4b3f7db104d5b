import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setFaults } from '../../../packages/emulator/endpoint/faults.ts';
import { cancelUpload } from '../../../tools/operator/cancel-upload.ts';
import { createClient } from '../../../tools/operator/clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { createFile, getFile } from '../../../tools/operator/files.ts';
import { allOf } from '../../../tools/operator/pages.ts';
import { getUpload, listUploads, type Upload } from '../../../tools/operator/uploads.ts';
import { type AdminRun, admin } from '../../support/run-admin.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** What becomes of upload URLs when things go wrong, seen through a running service and the operator's command. */

let run: RunningStack;
let deployment: Deployment;
let folder: string;
let accessToken: string;
let s3: S3Client;
let sqs: SQSClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-upload-life-test-'));
  run = await startRunningStack();
  deployment = run.deployment;
  s3 = new S3Client({ ...deployment.awsConfig, forcePathStyle: true });
  sqs = new SQSClient(deployment.awsConfig);
  accessToken = await requestAccessToken();
});
afterEach(() => setFaults(run.stateDirectory, {}));
afterAll(async () => {
  s3?.destroy();
  sqs?.destroy();
  await run?.close();
  await rm(folder, { recursive: true, force: true });
});

async function requestAccessToken(): Promise<string> {
  const client = await createClient(deployment, {
    organisationId: 'acme',
    name: 'Test',
    scopes: ['sync:create'],
  });
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const answer = await fetch(`${run.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function newFile(): Promise<string> {
  const file = await createFile(deployment, { organisationId: 'acme', name: 'f.bin', syncEnabled: true });
  return file.file_id;
}

function sync(fileId: string): Promise<Response> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return fetch(`${run.baseUrl}/v0/files/${fileId}/sync`, { method: 'POST', headers });
}

interface IssuedUrl {
  readonly url: string;
  readonly uploadId: string;
}

async function issue(fileId: string): Promise<IssuedUrl> {
  const { data } = (await (await sync(fileId)).json()) as { data: { upload_url: string } };
  return { url: data.upload_url, uploadId: new URL(data.upload_url).pathname.split('/').at(-1) ?? '' };
}

async function put(url: string, body: string | Uint8Array): Promise<number> {
  const answer = await fetch(url, {
    method: 'PUT',
    body: typeof body === 'string' ? body : Buffer.from(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Uploads and waits until it is recorded. */
async function upload(
  fileId: string,
  body: string | Uint8Array,
): Promise<Extract<Upload, { state: 'completed' }>> {
  const { url, uploadId } = await issue(fileId);
  expect(await put(url, body)).toBe(200);
  return completed(uploadId);
}

async function completed(uploadId: string): Promise<Extract<Upload, { state: 'completed' }>> {
  await expect.poll(() => stateOf(uploadId), { timeout: 10_000 }).toBe('completed');
  const ended = await getUpload(deployment, uploadId);
  if (ended.state !== 'completed') {
    throw new Error(`The upload is ${ended.state}`);
  }
  return ended;
}

async function stateOf(uploadId: string): Promise<Upload['state']> {
  return (await getUpload(deployment, uploadId)).state;
}

const operator = (...parameters: readonly string[]): Promise<AdminRun> =>
  admin(deployment, ['--local', ...parameters]);

/** Runs a command, and something else while it waits. */
const operatorWhile = (duringWait: () => Promise<void>, ...parameters: readonly string[]) =>
  admin(deployment, ['--local', ...parameters], {}, { duringWait });

/** Events in the dead-letter queue. */
async function deadLetters(): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: deployment.outputs.DeadLetterQueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  return Number(Attributes.ApproximateNumberOfMessages);
}

const setFileOf = (uploadId: string, fileId: string) => setAttribute(uploadId, 'file_id', fileId);

/** As if the hour were over. The URL itself keeps its time. */
const setExpired = (uploadId: string) =>
  setAttribute(uploadId, 'expires_at', new Date(Date.now() - 1000).toISOString());

async function setAttribute(uploadId: string, name: string, value: string): Promise<void> {
  const database = new DynamoDBClient(deployment.awsConfig);
  await database.send(
    new UpdateItemCommand({
      TableName: deployment.outputs.UploadsTableName,
      Key: { upload_id: { S: uploadId } },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': { S: value } },
    }),
  );
  database.destroy();
}

describe('an upload that cannot be recorded', () => {
  test('waits in the dead-letter queue and is recorded by one replay, when its cause is mended', async () => {
    const fileId = await newFile();
    const body = randomBytes(10_000);
    const { url, uploadId } = await issue(fileId);
    await setFileOf(uploadId, 'a-file-that-does-not-exist');
    expect(await put(url, body)).toBe(200);
    await expect.poll(deadLetters, { timeout: 20_000 }).toBe(1);

    const early = await operator('upload', 'replay');
    expect(early).toMatchObject({ code: 1, stdout: '0 events replayed, 1 failed.\n' });
    expect(early.stderr).toContain('No file a-file-that-does-not-exist');
    expect(await deadLetters()).toBe(1);

    await setFileOf(uploadId, fileId);
    expect((await operator('upload', 'replay', '--json')).json()).toEqual({ replayed: 1, failed: 0 });
    expect(await deadLetters()).toBe(0);
    const md5 = createHash('md5').update(body).digest('hex');
    expect((await operator('file', 'show', fileId, '--json')).json()).toMatchObject({
      content: { upload_id: uploadId, size: 10_000, etag: md5 },
    });
  });

  test('does so too while the database is down, and loses nothing', async () => {
    const fileId = await newFile();
    const { url, uploadId } = await issue(fileId);
    setFaults(run.stateDirectory, { dynamodb: 'failing' });
    expect(await put(url, 'content')).toBe(200);
    await expect.poll(deadLetters, { timeout: 20_000 }).toBe(1);
    setFaults(run.stateDirectory, {});
    expect(await stateOf(uploadId)).toBe('issued');
    expect((await operator('upload', 'replay', '--json')).json()).toEqual({ replayed: 1, failed: 0 });
    expect((await completed(uploadId)).size).toBe(7);
  });
});

describe('a call of DynamoDB that is throttled while an upload is recorded', () => {
  const uploads = () => deployment.outputs.UploadsTableName;
  const files = () => deployment.outputs.FilesTableName;

  // The function's AWS client makes three attempts at a call.
  test.each([
    ['the read of the upload', 'GetItem', uploads],
    ['the read of the file', 'GetItem', files],
    ['pointing the file at the content', 'UpdateItem', files],
    ['the completion', 'UpdateItem', uploads],
  ] as const)('%s: the upload is not lost', async (_name, operation, table) => {
    const fileId = await newFile();
    const { url, uploadId } = await issue(fileId);
    const throttled = { operation, table: table(), fault: 'throttling', calls: 3 } as const;
    setFaults(run.stateDirectory, { dynamodb: [throttled] });
    expect(await put(url, 'content')).toBe(200);
    await run.eventsSettled();
    expect(await stateOf(uploadId)).toBe('completed');
    expect(await getFile(deployment, fileId)).toMatchObject({ content: { upload_id: uploadId } });
    expect(await deadLetters()).toBe(0);
  });
});

describe('when the signer role cannot be assumed', () => {
  test.each(['failing', 'throttling', 'garbage'] as const)(
    '(%s) the caller gets 500 and nothing is issued',
    async (fault) => {
      const fileId = await newFile();
      setFaults(run.stateDirectory, { sts: fault });
      const answer = await sync(fileId);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ error: 'internal_error' });
      expect(await allOf(listUploads(deployment, { fileId }))).toEqual([]);
    },
  );
});

describe('a cancel and an upload at the same moment', () => {
  test('exactly one of them wins, and the upload says which', async () => {
    const fileId = await newFile();
    const wins = { upload: 0, cancel: 0 };
    // A cancel reads before it writes, so the PUT starts at any moment of that.
    const span = await timeOfCancel(fileId);
    for (let round = 0; round < 24; round += 1) {
      const { url, uploadId } = await issue(fileId);
      const [status, cancelled] = await Promise.all([
        delay((span * round) / 24).then(() => put(url, randomBytes(1 + 10_000 * (round % 3)))),
        cancelUpload(deployment, uploadId).then(
          ({ state }) => state === 'cancelled',
          () => false,
        ),
      ]);
      expect([status === 200, cancelled].filter(Boolean), `round ${round}`).toHaveLength(1);
      if (status !== 200) {
        expect([409, 412]).toContain(status);
      }
      await expect
        .poll(() => stateOf(uploadId), { timeout: 10_000 })
        .toBe(cancelled ? 'cancelled' : 'completed');
      expect(await put(url, 'again')).toBe(412);
      wins[cancelled ? 'cancel' : 'upload'] += 1;
    }
    expect(wins.upload + wins.cancel).toBe(24);
  }, 60_000);

  /** In milliseconds. */
  async function timeOfCancel(fileId: string): Promise<number> {
    await cancelUpload(deployment, (await issue(fileId)).uploadId);
    const { uploadId } = await issue(fileId);
    const startedAt = performance.now();
    await cancelUpload(deployment, uploadId);
    return performance.now() - startedAt;
  }
});

const statusOf = (answer: IncomingMessage) => answer.resume().statusCode;

describe('an upload that is shown as expired while its PUT is under way', () => {
  async function beginPut() {
    const fileId = await newFile();
    const { url, uploadId } = await issue(fileId);
    const body = randomBytes(200_000);
    const headers = { 'content-length': body.length, expect: '100-continue' };
    const request = openRequest(url, { method: 'PUT', headers });
    const answered = once(request, 'response').then(([answer]) => statusOf(answer as IncomingMessage));
    // The storage asks for the body when it has accepted the request.
    const continued = once(request, 'continue');
    request.flushHeaders();
    await continued;
    request.write(body.subarray(0, 100_000));
    await setExpired(uploadId);
    expect(await stateOf(uploadId)).toBe('expired');
    const end = () => {
      request.end(body.subarray(100_000));
      return answered;
    };
    return { uploadId, end };
  }

  test('is recorded when its PUT ends', async () => {
    const { uploadId, end } = await beginPut();
    expect(await end()).toBe(200);
    expect((await completed(uploadId)).size).toBe(200_000);
  });

  test('is refused with 412 at its end when it was cancelled meanwhile', async () => {
    const { uploadId, end } = await beginPut();
    expect(await operator('upload', 'cancel', uploadId)).toMatchObject({ code: 0 });
    expect(await end()).toBe(412);
    expect(await stateOf(uploadId)).toBe('cancelled');
  });

  test('is refused when the URLs of its file were cancelled', async () => {
    const { uploadId, end } = await beginPut();
    const { file_id } = await getUpload(deployment, uploadId);
    const closed = await operator('file', 'disable-sync', file_id, '--cancel-uploads', '--yes', '--json');
    expect(closed.json()).toMatchObject({ uploads: { cancelled: 1, finished: 0, failed: 0 } });
    expect(await end()).toBe(412);
  });
});

describe('file disable-sync --cancel-uploads', () => {
  test('closes every URL of the file, and tells of an upload that finished in between', async () => {
    const fileId = await newFile();
    const other = await newFile();
    const urls = await Promise.all([issue(fileId), issue(fileId), issue(fileId)]);
    const otherUrl = await issue(other);
    const [used, ...open] = urls;
    // The bytes are stored, and not recorded: the upload is still issued.
    setFaults(run.stateDirectory, { dynamodb: 'failing' });
    expect(await put(used?.url ?? '', 'in between')).toBe(200);
    await expect.poll(deadLetters, { timeout: 20_000 }).toBe(1);
    setFaults(run.stateDirectory, {});

    const plain = await operator('file', 'disable-sync', fileId);
    expect(plain.stderr).toMatch(
      /^3 upload URLs are outstanding and still work until \d{4}-.*Z at the latest\.\nTo close all of them: admin --local file disable-sync \S+ --cancel-uploads\n$/,
    );
    expect((await sync(fileId)).status).toBe(409);

    const closed = await operator('file', 'disable-sync', fileId, '--cancel-uploads', '--yes', '--json');
    expect(closed.code).toBe(0);
    expect(closed.json()).toMatchObject({
      file_id: fileId,
      sync_enabled: false,
      uploads: { cancelled: 2, finished: 1, failed: 0 },
    });
    expect(closed.stderr).toContain(`${used?.uploadId} finished: its content arrived before`);
    for (const { url, uploadId } of open) {
      expect(await put(url, 'too late')).toBe(412);
      expect(await stateOf(uploadId)).toBe('cancelled');
    }
    expect((await operator('upload', 'replay', '--json')).json()).toEqual({ replayed: 1, failed: 0 });
    expect(await stateOf(used?.uploadId ?? '')).toBe('completed');
    expect(await put(otherUrl.url, 'another file')).toBe(200);
  }, 60_000);

  test('closes a URL that a request issued which had begun before', async () => {
    const fileId = await newFile();
    await operator('file', 'disable-sync', fileId);
    let late: IssuedUrl | undefined;
    const closed = await operatorWhile(
      async () => {
        // What such a request leaves: a URL of a file that is not enabled.
        await operator('file', 'enable-sync', fileId);
        late = await issue(fileId);
        await operator('file', 'disable-sync', fileId);
      },
      ...['file', 'disable-sync', fileId, '--cancel-uploads', '--yes', '--json'],
    );
    expect(closed.json()).toMatchObject({ uploads: { cancelled: 1, finished: 0, failed: 0 } });
    expect(await put(late?.url ?? '', 'too late')).toBe(412);
  });
});

describe('replaced content', () => {
  test('is still there by its version, behind the tombstone that starts its retention', async () => {
    const fileId = await newFile();
    const first = await upload(fileId, 'the first content');
    const second = await upload(fileId, 'the second content');
    await expect
      .poll(async () => 'superseded_at' in (await getUpload(deployment, first.upload_id)))
      .toBe(true);

    const { Versions = [], DeleteMarkers = [] } = await s3.send(
      new ListObjectVersionsCommand({ Bucket: deployment.outputs.BucketName, Prefix: first.key }),
    );
    expect(DeleteMarkers).toEqual([]);
    expect(Versions.map(({ Size, VersionId }) => [Size, VersionId === first.version_id])).toEqual([
      [0, false],
      ['the first content'.length, true],
    ]);
    expect(await contentOf(first)).toBe('the first content');
    const history = (await operator('file', 'show', fileId, '--json')).json();
    expect(history).toMatchObject({
      content: { upload_id: second.upload_id },
      history: [
        { upload_id: second.upload_id, state: 'completed' },
        { upload_id: first.upload_id, state: 'completed', superseded_at: expect.any(String) },
      ],
    });
  });

  async function contentOf({ key, version_id }: { key: string; version_id: string }): Promise<string> {
    const { Body } = await s3.send(
      new GetObjectCommand({ Bucket: deployment.outputs.BucketName, Key: key, VersionId: version_id }),
    );
    return (await Body?.transformToString()) ?? '';
  }
});

describe('file download', () => {
  test('refuses content that was changed where it is stored, and writes nothing', async () => {
    const fileId = await newFile();
    const { key, version_id } = await upload(fileId, 'what was uploaded');
    const stored = await storedContent(version_id);
    const output = join(folder, 'downloaded');
    await writeFile(stored, 'what was tampered');
    const tampered = await operator('file', 'download', fileId, '--output', output);
    expect(tampered).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Nothing was written'),
    });
    expect(await readdir(folder)).toEqual([]);

    await writeFile(stored, 'what was uploaded');
    expect(await operator('file', 'download', fileId, '--output', output)).toMatchObject({ code: 0 });
    expect(await readFile(output, 'utf8')).toBe('what was uploaded');
    expect(key).toMatch(/^uploads\//);
  });

  /** The file in which the local S3 keeps this version. */
  async function storedContent(versionId: string): Promise<string> {
    const names = await readdir(run.stateDirectory, { recursive: true });
    const name = names.find((it) => it.endsWith(`-${versionId}.bin`));
    if (name === undefined) {
      throw new Error('The content is not where it was expected');
    }
    return join(run.stateDirectory, name);
  }
});
