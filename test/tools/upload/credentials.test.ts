import { describe, expect, test } from 'vitest';
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

describe('credentials', () => {
  test('a secret file wins over the environment, without its line break', async () => {
    const secret = await file('secret', 'from-file\n');
    await uploadContent('abc', '--client-secret-file', secret);
    expect(sentCredentials()).toBe('client%3A1:from-file');
  });

  test('a line break behind the secret in the environment is none of it', async () => {
    const env = { FILE_SYNC_CLIENT_SECRET: 'from-environment\r\n' };
    await upload([await file('orders.csv', 'abc'), '--file', 'orders'], { env });
    expect(sentCredentials()).toBe('client%3A1:from-environment');
  });

  test('sends nothing to an upload URL that is not encrypted', async () => {
    const body = JSON.stringify({ data: { upload_url: 'http://storage.invalid/uploads/1' } });
    service.script.sync.push({ status: 200, headers: { 'content-type': 'application/json' }, body });
    const run = await uploadContent('abc');
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not encrypted. Nothing was sent'),
    });
    expect(paths()).toEqual(wholeJob.slice(0, 2));
  });

  test('follows no redirect', async () => {
    service.script.sync.push({ status: 307, headers: { location: 'https://elsewhere.example/' } });
    const run = await uploadContent('abc');
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('answered 307') });
  });
});
