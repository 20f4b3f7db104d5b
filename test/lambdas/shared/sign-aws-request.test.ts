import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, test } from 'vitest';
import { createSignAwsRequest } from '../../../lambdas/shared/sign-aws-request.ts';

const scope = { service: 'dynamodb', region: 'eu-central-1' };
const longLived = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const session = { ...longLived, sessionToken: 'session-token' };
const times = ['2026-01-02T03:04:05.678Z', '2026-01-02T23:59:59.999Z', '2026-01-03T00:00:00.000Z'];

const request = {
  method: 'POST',
  path: '/',
  headers: {
    host: 'dynamodb.eu-central-1.amazonaws.com',
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    'user-agent': 'not signed',
    'amz-sdk-request': 'attempt=1; max=3',
  },
  body: '{"TableName":"clients","name":"Zoë"}',
};

describe('a signature of a request to AWS', () => {
  test.each([
    ['with a session', session],
    ['without a session', longLived],
  ])("is that of the SDK's signer %s, on each day anew", async (_, credentials) => {
    const sign = createSignAwsRequest(scope, credentials);
    const theirs = new SignatureV4({ ...scope, credentials, sha256: Sha256, applyChecksum: false });
    for (const time of times) {
      const { 'user-agent': _agent, 'amz-sdk-request': _attempt, ...signedHeaders } = request.headers;
      const expected = await theirs.sign(
        new HttpRequest({ ...request, hostname: signedHeaders.host, headers: signedHeaders }),
        { signingDate: new Date(time) },
      );
      expect(sign(request, Date.parse(time))).toEqual({ ...request.headers, ...expected.headers });
    }
  });

  test('covers a body of bytes like the same text', () => {
    const sign = createSignAwsRequest(scope, session);
    const now = Date.parse('2026-01-02T03:04:05Z');
    expect(sign({ ...request, body: Buffer.from(request.body) }, now)).toEqual(sign(request, now));
    expect(sign({ ...request, body: '{}' }, now).authorization).not.toBe(sign(request, now).authorization);
  });
});
