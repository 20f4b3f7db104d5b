import { afterEach, describe, expect, test, vi } from 'vitest';
import { awsClientConfig } from '../../../lambdas/shared/aws-clients.ts';
import { parseRetentionDays, readEnvironment } from '../../../lambdas/shared/environment.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('the environment of a function', () => {
  test('is refused with the names of all variables that are missing or empty', () => {
    const source = { BASE_URL: 'https://a', FILES_TABLE_NAME: '' };
    expect(() => readEnvironment(['filesTableName', 'baseUrl', 'signingAlgorithm'], source)).toThrow(
      'Missing environment variable: FILES_TABLE_NAME, SIGNING_ALGORITHM',
    );
  });
});

describe('the retention of upload records', () => {
  test('is a number of days, or none', () => {
    expect(parseRetentionDays('30')).toBe(30);
    expect(parseRetentionDays('forever')).toBeUndefined();
  });
});

describe('the configuration of AWS clients', () => {
  const complete = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_SESSION_TOKEN: 'token',
  };

  test('has the region and the credentials that Lambda sets', async () => {
    const config = awsClientConfig(complete);
    expect(config.region).toBe('eu-central-1');
    expect(await config.credentials()).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'key',
      sessionToken: 'token',
    });
    expect(config).not.toHaveProperty('endpoint');
  });

  test('has no session token and no endpoint when none is set', async () => {
    const config = awsClientConfig({ ...complete, AWS_SESSION_TOKEN: '', AWS_ENDPOINT_URL: '' });
    expect(await config.credentials()).toEqual({ accessKeyId: 'id', secretAccessKey: 'key' });
    expect(config).not.toHaveProperty('endpoint');
  });

  test('names a variable that is missing', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
      const config = awsClientConfig({ ...complete, [name]: undefined });
      await expect(config.credentials()).rejects.toThrow(`Missing environment variable: ${name}`);
    }
  });
});
