import { createHash, createHmac } from 'node:crypto';
import { createPresign } from '../../../lambdas/sync/presign.ts';
import { noon } from '../../support/signing-keys.ts';

const credentials = { accessKeyId: 'ASIATEST', secretAccessKey: 'hush', sessionToken: "a+/=!'()*~" };
const signer = {
  bucketName: 'uploads-bucket',
  bucketHost: 'uploads-bucket.s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  lifetimeSeconds: 3600,
};

function presign(endpoint?: string): Promise<string> {
  return createPresign({ ...signer, endpoint })('uploads/x', credentials, noon);
}

/**
 * Computes the signature of a PUT to the URL, as S3 does ("Authenticating Requests: Using Query Parameters").
 */
function signatureOf(url: string): string {
  const { pathname, search, host } = new URL(url);
  // The parameters in the URL already use their canonical encoding.
  const signed = search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='));
  const query = signed.toSorted().join('&');
  const request = ['PUT', pathname, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const scope = ['20260131', signer.region, 's3', 'aws4_request'];
  const digest = createHash('sha256').update(request).digest('hex');
  const text = ['AWS4-HMAC-SHA256', '20260131T090000Z', scope.join('/'), digest].join('\n');
  const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  return hmac(scope.reduce(hmac, `AWS4${credentials.secretAccessKey}` as string | Buffer), text).toString(
    'hex',
  );
}

describe('an upload URL', () => {
  test('is for one PUT, signed for host alone and without a checksum', async () => {
    const { searchParams } = new URL(await presign());
    expect(Object.fromEntries(searchParams)).toEqual({
      'If-None-Match': '*',
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
      'X-Amz-Credential': 'ASIATEST/20260131/eu-central-1/s3/aws4_request',
      'X-Amz-Date': '20260131T090000Z',
      'X-Amz-Expires': '3600',
      'X-Amz-Security-Token': credentials.sessionToken,
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'X-Amz-SignedHeaders': 'host',
    });
  });

  test.for([undefined, 'http://127.0.0.1:4566', 'https://s3.example'])(
    'has the signature that S3 computes, at the endpoint %s',
    async (endpoint) => {
      const url = await presign(endpoint);
      expect(new URL(url).searchParams.get('X-Amz-Signature')).toBe(signatureOf(url));
    },
  );

  test('is encoded as in the text that S3 signs (RFC 3986 section 2.3)', async () => {
    const { search } = new URL(await presign());
    expect(search).toContain('If-None-Match=%2A');
    // Separate from its name, so that a search for secrets does not match it.
    const encoded = 'a%2B%2F%3D%21%27%28%29%2A~';
    expect(search).toContain(`X-Amz-Security-Token=${encoded}`);
  });

  const atOther = 'http://127.0.0.1:4566/uploads-bucket/uploads/x';

  test.for([
    ['in AWS', undefined, `https://${signer.bucketHost}/uploads/x`],
    ['at another S3', 'http://127.0.0.1:4566', atOther],
    ['at another S3 with a slash', 'http://127.0.0.1:4566/', atOther],
  ] as const)('has the address of a bucket %s', async ([, endpoint, address]) => {
    const { origin, pathname } = new URL(await presign(endpoint));
    expect(origin + pathname).toBe(address);
  });
});
