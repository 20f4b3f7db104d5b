import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import {
  file,
  sentCredentials,
  service,
  upload,
  uploadContent,
  useFakeService,
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

  test('a 401 to a secret that is not mistyped is explained', async () => {
    service.script.token.push({ status: 401, body: '{"error":"invalid_client"}' });
    const secret = await file('secret', generateClientSecret(randomBytes));
    const { code, stderr } = await uploadContent('abc', '--client-secret-file', secret);
    expect(code).toBe(3);
    expect(stderr).toContain(' The client id or client secret is wrong, or the client is revoked.');
  });
});
