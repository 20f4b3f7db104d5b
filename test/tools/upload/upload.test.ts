import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import { md5, uploadId } from './support/fake-service.ts';
import {
  file,
  paths,
  sentCredentials,
  service,
  upload,
  uploadContent,
  useFakeService,
  wholeJob,
} from './support/upload-command.ts';

useFakeService();

describe('the whole job', () => {
  test.for([0, 3_500_001])('uploads a file of %i bytes as it is', async (size) => {
    const content = Buffer.alloc(size, 'file sync ');
    const run = await uploadContent(content, '--json');
    expect(run).toMatchObject({ code: 0, waits: [] });
    expect(paths()).toEqual(wholeJob);
    expect(service.requests[2]?.body.equals(content)).toBe(true);
    expect(JSON.parse(run.stdout)).toMatchObject({
      file_id: 'orders',
      upload_id: uploadId,
      size,
      md5: md5(content),
      etag: md5(content),
      verified: true,
      attempts: 1,
    });
  });

  test('ends with one line about the uploaded file', async () => {
    const run = await uploadContent('abc');
    expect(run.stdout).toMatch(
      /^orders\.csv is uploaded into file "orders": 3 bytes, MD5 900150983cd24fb0d6963f7d28e17f72 \(verified\), upload 0190b8a0-[0-9a-f-]+, \d+\.\d s\.\n$/,
    );
  });

  test('sends lengths, and with the PUT nothing that needs a signature', async () => {
    await uploadContent('abc');
    expect(Object.keys(service.requests[2]?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'host',
    ]);
    expect(service.requests[1]?.headers).toMatchObject({ 'content-length': '0' });
  });

  test('form-urlencodes both parts of Basic (RFC 6749 section 2.3.1)', async () => {
    await uploadContent('abc');
    expect(sentCredentials()).toBe('client%3A1:a+secret%2B%25');
    expect(service.requests[0]?.body.toString()).toBe('grant_type=client_credentials&scope=sync%3Acreate');
  });

  test('reads standard input to its end first and leaves no temporary file', async () => {
    const before = await readdir(tmpdir());
    const stdin = Readable.from([Buffer.from('first '), Buffer.from('second')]);
    const run = await upload('- --file orders --quiet', { stdin });
    expect(run.code).toBe(0);
    expect(service.requests[2]?.body.toString()).toBe('first second');
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('file-sync-upload-'));
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('credentials', () => {
  test('a secret file wins over the environment, without its line break', async () => {
    const secret = await file('secret', 'from-file\n');
    await uploadContent('abc', '--client-secret-file', secret);
    expect(sentCredentials()).toBe('client%3A1:from-file');
  });

  test('a line break after the secret in the environment is removed', async () => {
    const env = { FILE_SYNC_CLIENT_SECRET: 'from-environment\r\n' };
    await upload(`${await file('orders.csv', 'abc')} --file orders`, { env });
    expect(sentCredentials()).toBe('client%3A1:from-environment');
  });

  test('a 401 to a secret that is not mistyped is explained', async () => {
    service.script.token.push({ status: 401, body: '{"error":"invalid_client"}' });
    const secret = await file('secret', generateClientSecret(randomBytes));
    const { code, stderr } = await uploadContent('abc', '--client-secret-file', secret);
    expect(code).toBe(3);
    expect(stderr).toContain(' The client id or client secret is wrong, or the client is revoked.');
  });
});
