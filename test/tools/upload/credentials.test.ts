import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateClientSecret } from '../../../storage/client-secret.ts';
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

  test('a line break after the secret in the environment is removed', async () => {
    const env = { FILE_SYNC_CLIENT_SECRET: 'from-environment\r\n' };
    await upload([await file('orders.csv', 'abc'), '--file', 'orders'], { env });
    expect(sentCredentials()).toBe('client%3A1:from-environment');
  });

  const secret = generateClientSecret(randomBytes);

  test.for([
    ['a carriage return', `${secret}\r`, ' The client secret is mistyped,'],
    ['a byte order mark', `\ufeff${secret}`, ' The client secret is mistyped,'],
    ['nothing added', secret, ' The client id or client secret is wrong, or the client is revoked.'],
  ] as const)('a 401 to a secret with %s is explained', async ([, given, says]) => {
    const body = JSON.stringify({ error: 'invalid_client' });
    service.script.token.push({ status: 401, headers: { 'content-type': 'application/json' }, body });
    const path = await file('secret', `${given}\n`.replace('\r\n', '\r'));
    const { code, stderr } = await uploadContent('abc', '--client-secret-file', path);
    expect(code).toBe(3);
    expect(stderr).toContain(says);
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
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('responded with 307') });
  });
});
