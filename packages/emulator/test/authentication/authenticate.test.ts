import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { authenticateServiceRequest } from '../../authentication/authenticate.ts';
import { type Credentials, openCredentialIssuer } from '../../authentication/credentials.ts';
import { parseAuthorization } from '../../authentication/signature.ts';
import { stack } from '../support/aws-services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const signingDate = new Date('2026-01-31T12:00:00Z');
const at = (seconds: number) => ({ now: new Date(signingDate.getTime() + seconds * 1000) });
const credentials = await openCredentialIssuer(await temporaryFolder());
const session = { kind: 'session', roleArn: 'role', sessionName: 'it' } as const;
const ends = credentials.issue(session, at(60).now);

interface Case {
  readonly by?: Credentials;
  readonly region?: string;
  readonly now?: Date;
  readonly body?: string;
  /** Headers that replace signed headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text of the Authorization header, and its replacement. */
  readonly claim?: readonly [string, string];
}

/** Signs a request as the SDK does. Returns the sender, or the reason for a rejection. */
async function authenticate({ by = credentials.operator, region = stack.region, ...sent }: Case) {
  const { now = signingDate, body = '{}', claim = ['', ''] } = sent;
  const signer = new SignatureV4({
    credentials: by,
    region,
    service: 'sts',
    sha256: Hash.bind(null, 'sha256'),
  });
  const unsigned = { method: 'POST', path: '/', headers: { host: 'localhost', x: 'ä' }, body: '{}' };
  const signed = await signer.sign(new HttpRequest({ ...unsigned, query: { q: ['b', 'a'] } }), {
    signingDate,
  });
  const headers: Record<string, string> = {
    ...signed.headers,
    x: Buffer.from('ä').toString('latin1'),
    ...sent.headers,
  };
  const query = ['a', 'b'].map((value) => ({ name: 'q', value }));
  const claimed = parseAuthorization(String(headers.authorization).replace(...claim));
  const request = Object({ ...unsigned, headers, query });
  return authenticateServiceRequest(request, Object(claimed), Buffer.from(body), {
    credentials,
    stack,
    now: () => now,
  }).then(
    (principal) => Object.values(principal).filter(Boolean).join(' '),
    ({ status, code, message }) => `${status} ${code}: ${message}`,
  );
}

const mismatch =
  '403 InvalidSignatureException: The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
const otherDate =
  '403 InvalidSignatureException: Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP';
const unknown = '400 UnrecognizedClientException: The security token included in the request is invalid.';
const { sessionToken: token = '', ...withoutToken } = ends;

test.for<[string, Case, string]>([
  ['of the operator', {}, 'operator'],
  ['of a session before its end', { by: ends, ...at(59) }, 'session role it'],
  [
    'of a session at its end',
    { by: ends, ...at(60) },
    '403 ExpiredTokenException: The security token included in the request is expired',
  ],
  ['of a session without its token', { by: withoutToken }, unknown],
  [
    'with the token of another session',
    { by: { ...credentials.issue(session), sessionToken: token } },
    unknown,
  ],
  ['by an unknown key', { by: { accessKeyId: 'AKIA', secretAccessKey: 'x' } }, unknown],
  ['of other bytes', { body: '[]' }, mismatch],
  ['of another header', { headers: { x: 'a' } }, mismatch],
  ['beside a header that is not signed', { headers: { y: 'a' } }, 'operator'],
  ['that claims a header which is absent', { claim: ['host;', 'host;gone;'] }, mismatch],
  [
    'without the host',
    { claim: ['host;', ''] },
    "403 InvalidSignatureException: 'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.",
  ],
  [
    'for another Region',
    { region: 'x' },
    '403 InvalidSignatureException: Credential should be scoped to a valid region.',
  ],
  ['of another day', { headers: { 'x-amz-date': '20260201T120000Z' } }, otherDate],
  ['without a time', { headers: { 'x-amz-date': '20260131' } }, otherDate],
  ['that is 15 minutes old', at(900), 'operator'],
  ['that is older', at(901), '403 InvalidSignatureException: Signature expired: 20260131T120000Z'],
  ['from 15 minutes ahead', at(-900), 'operator'],
  [
    'from further ahead',
    at(-901),
    '403 InvalidSignatureException: Signature not yet current: 20260131T120000Z',
  ],
])('the response to a signature %s', async ([, sent, response]) => {
  expect(await authenticate(sent)).toBe(response);
});
