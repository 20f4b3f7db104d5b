import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import {
  type FakeService,
  issued,
  md5,
  startFakeService,
  uploadId,
} from '../../../test/tools/upload/support/fake-service.ts';
import { createFileSyncClient, type UploadSource } from '../index.ts';
import { readUploadUrl } from '../service.ts';

const clientSecret = 'a secret+%';
let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});

const createClient = (sleep: () => Promise<void> = async () => undefined) =>
  createFileSyncClient({ baseUrl: `${service.baseUrl}/`, clientId: 'client:1', clientSecret, sleep });
const puts = () => service.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
const requestsTo = (path: string) => service.requests.filter((request) => request.path === path);

const content = Buffer.alloc(3_000_001, 'file sync ');
/** Large enough for a worker, and no multiple of its chunks. */
const large = Buffer.alloc(17_000_003, 'large file ');

async function path(bytes: Buffer): Promise<string> {
  const file = join(await temporaryFolder(), 'orders.csv');
  await writeFile(file, bytes);
  return file;
}

const streamOf = (bytes: Buffer) => ({
  size: bytes.length,
  open: () => Readable.from([bytes.subarray(0, 2_000_000), bytes.subarray(2_000_000)]),
});

test.for<[string, Buffer, (bytes: Buffer) => UploadSource | Promise<UploadSource>]>([
  ['a path', content, path],
  ['a large path', large, path],
  ['a stream', content, streamOf],
])('%s is sent again for a retry', async ([, bytes, sourceOf]) => {
  service.script.put.push('cut after body');
  const progress: number[] = [];
  const result = await createClient().uploadFile('orders', await sourceOf(bytes), {
    onProgress: (sent) => progress.push(sent),
  });
  expect(result).toMatchObject({ md5: md5(bytes), verified: true, attempts: 2, size: bytes.length });
  expect(puts().map(md5)).toEqual([md5(bytes), md5(bytes)]);
  expect(progress.filter((sent) => sent === bytes.length)).toHaveLength(2);
});

test('a large file is not sent to an expired URL (RFC 9110 section 10.1.1)', async () => {
  service.script.put.push({ status: 403, body: '<Message>Request has expired</Message>' });
  const progress: number[] = [];
  const onProgress = (sent: number) => progress.push(sent);
  await createClient().uploadFile('orders', streamOf(content), { onProgress });
  expect(puts().map(({ length }) => length)).toEqual([0, content.length]);
  expect(progress.filter((sent) => sent === 0)).toHaveLength(1);
});

test.for([
  ['fewer', content.length + 1],
  ['more', content.length - 1],
])('a stream with %s bytes than its size is not stored', async ([, size]) => {
  const source = { ...streamOf(content), size: Number(size) };
  const failure = createClient().uploadFile('orders', source);
  await expect(failure).rejects.toMatchObject({ code: 'source_changed' });
  await expect.poll(() => puts().map(({ length }) => length < Number(size))).toEqual([true]);
});

test('a path that is overwritten in place before a retry is not stored', async () => {
  const file = await path(content);
  // Some file systems store times in whole seconds.
  await utimes(file, 0, 0);
  service.script.token.push({ status: 503 });
  const overwrite = async () => writeFile(file, 'other', { flag: 'r+' });
  const failure = createClient(overwrite).uploadFile('orders', file);
  await expect(failure).rejects.toMatchObject({ code: 'source_changed' });
  await expect.poll(() => puts().map(({ length }) => length < content.length)).toEqual([true]);
});

test('a stream that fails is final, and its error is the cause', async () => {
  const cause = Object.assign(new Error('of the caller'), { code: 'ECONNRESET' });
  const open = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }) });
  const failure = createClient().uploadFile('orders', { size: 3, open });
  await expect(failure).rejects.toMatchObject({ code: 'source_unreadable', cause });
});

describe('the access token', () => {
  test('is used for later uploads', async () => {
    const { uploadFile } = createClient();
    await uploadFile('orders', streamOf(content));
    await uploadFile('returns', streamOf(content));
    expect(requestsTo('/oauth/token')).toHaveLength(1);
  });

  test.for([60, 1])('is not used again if it ends within a minute (%i s)', async (seconds) => {
    const body = JSON.stringify({ access_token: 'short', expires_in: seconds });
    service.script.token.push({ status: 200, body });
    const { uploadFile } = createClient();
    await uploadFile('orders', streamOf(content));
    await uploadFile('returns', streamOf(content));
    expect(requestsTo('/oauth/token')).toHaveLength(2);
  });
});

test('bytes that were damaged in transit are an error', async () => {
  service.script.put.push('damaged');
  const failure = createClient().uploadFile('orders', streamOf(content));
  await expect(failure).rejects.toMatchObject({ code: 'damaged' });
});

test('neither the client nor an error shows a secret', async () => {
  service.script.put.push({ status: 403, body: '<Code>AccessDenied</Code>' });
  const client = createClient();
  const error = await client.uploadFile('orders', streamOf(content)).catch((failure: unknown) => failure);
  const shown = [client, error].map(
    (one) => inspect(one, { depth: 9, showHidden: true }) + JSON.stringify(one),
  );
  expect(error).toMatchObject({ code: 'rejected', maybeStored: [] });
  expect(shown.join()).not.toMatch(/a secret|a\+secret|secret-token|secret-signature/);
});

test('an upload that is aborted names the upload that may be stored', async () => {
  service.script.put.push('silent after body');
  const stop = new AbortController();
  const failure = createClient().uploadFile('orders', streamOf(content), { signal: stop.signal });
  await expect.poll(() => puts()).toHaveLength(1);
  stop.abort('enough');
  await expect(failure).rejects.toMatchObject({
    code: 'aborted',
    cause: 'enough',
    maybeStored: [uploadId],
  });
});

test('an aborted signal sends nothing', async () => {
  const failure = createClient().uploadFile('orders', streamOf(content), { signal: AbortSignal.abort() });
  await expect(failure).rejects.toMatchObject({ code: 'aborted' });
  expect(puts()).toEqual([]);
});

test.for([
  ['http://127.0.0.1', 'https://a'],
  ['http://storage.invalid', 'http://127.0.0.1'],
])('an upload URL on %s is not used by a service on %s', ([storage = '', baseUrl = '']) => {
  const { status, body = '' } = issued(storage);
  const read = () => readUploadUrl({ status, body, headers: {}, requestId: undefined }, 'orders', baseUrl);
  expect(read).toThrow('is not encrypted');
});
