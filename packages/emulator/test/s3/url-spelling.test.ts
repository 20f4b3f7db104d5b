import { allow, bucketWith, prepareRuns, roleArnOf, uploadSigner } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { exchange } from '../support/exchange.ts';
import { element, presignedUrl, putHead } from '../support/presigned.ts';

/** Spellings of an upload URL that a session signed. Each case names its source, or `none`. */

const mayPut = allow(['s3:PutObject', 's3:PutObjectTagging'], 'arn:aws:s3:::test-bucket/*');
const aws = await (await prepareRuns([bucketWith(), ...uploadSigner(mayPut)])).start();

const { Credentials: session } = await clients(aws, 'Sync').sts.assumeRole({
  RoleArn: roleArnOf('Signer'),
  RoleSessionName: 'upload',
});
const sessionToken = session?.SessionToken ?? '';
const signed = await presignedUrl({
  endpoint: aws.endpoint,
  key: 'uploads/a%20%28b%29',
  credentials: {
    accessKeyId: session?.AccessKeyId ?? '',
    secretAccessKey: session?.SecretAccessKey ?? '',
    sessionToken,
  },
  query: { 'x-amz-tagging': 'a=b c' },
});
const { pathname: path, search } = new URL(signed);
const query = search.slice(1).replaceAll('+', '%20');

test('a session token is base64 with `+`, `/` and `=`, and as long as in AWS', () => {
  expect(sessionToken).toMatch(/^(?=.*\+)(?=.*\/)[A-Za-z0-9+/]{1300,}==$/);
  expect(signed.length).toBeGreaterThan(1800);
});

/** Sends the request target unchanged. */
async function put(target: string): Promise<string> {
  const head = putHead(signed, ['Content-Length: 0', 'Connection: close']);
  const response = await exchange(aws.endpoint, [head.replace(/ \S+ HTTP/, ` ${target} HTTP`)]);
  return [response.split(' ')[1], element(response, 'Code')].filter(Boolean).join(' ');
}

/** Escapes every letter and digit of a name or value. */
const escapeAll = (text: string) =>
  text.replace(/%..|\w/g, (one) => (one.length > 1 ? one : `%${one.charCodeAt(0).toString(16)}`));
const lowerCase = (text: string) => text.replace(/%../g, (one) => one.toLowerCase());
const calculation = 'S3 API reference, signature calculations';

test.for<[source: string, spelling: string, target: string, outcome: string]>([
  [calculation, 'as it was signed', `${path}?${query}`, '200'],
  [calculation, 'with lower-case escapes', lowerCase(`${path}?${query}`), '200'],
  [calculation, 'with every character escaped', `${path}?${query.replace(/[^&=]+/g, escapeAll)}`, '200'],
  [
    calculation,
    'with plain `/` and `=`',
    `${path}?${query.replaceAll('%2F', '/').replaceAll('%3D', '=')}`,
    '200',
  ],
  ['aws4fetch 83', 'with `+` for a space', `${path}?${query.replaceAll('%20', '+')}`, '200'],
  ['aws-sdk-js 853', 'with plain brackets in the path', `/test-bucket/uploads/a%20(b)?${query}`, '200'],
  [
    'aws-sdk-go 1976',
    'with another X-Amz-Content-Sha256',
    `${path}?${query.replace('UNSIGNED-PAYLOAD', '0')}`,
    '403 SignatureDoesNotMatch',
  ],
])('a URL (%s) %s', async ([, , target, outcome]) => {
  expect(await put(target)).toBe(outcome);
});
