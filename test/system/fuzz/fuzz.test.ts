import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exchange } from 'cloud-assembly-emulator/test/exchange';
import fc from 'fast-check';
import { decodeProtectedHeader } from 'jose';
import { createApiUser } from '../../support/api-user.ts';
import { tokenPart, validClaims } from '../../support/forged-token.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { report, sizesOf, soakTimeout } from '../soak.ts';
import { headerBytes, hostileText, marker, mutation, percentEncoded } from './hostile-text.ts';

/**
 * Valid requests with random changes, on every endpoint of the API. No response is a 5xx, hangs or repeats the
 * input. `contract/` covers the rejected requests and their responses.
 */

/**
 * The inputs differ in each run. A failure prints its seed, and `npm run test:system -- fuzz --inputs 1000
 * --seed N` repeats it.
 */
const seed = Date.now() % 2 ** 31;
const sizes = sizesOf({ inputs: 1000, seed }, { inputs: 100_000, seed });

const stack = await useRunningStack();
const { client, token, newFile } = await createApiUser(stack);
const file = await newFile();

/** Change to a part of a request. It never contains the part, so no failure prints a secret. */
type Change = string | ((part: string) => string) | undefined;

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: mutation },
  { weight: 1, arbitrary: hostileText },
);

function changed(part: string, to: Change): string {
  return typeof to === 'string' ? to : (to?.(part) ?? part);
}

const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 1, nil: undefined });

/** Sends requests built from random inputs. */
async function attack<Input>(
  inputs: fc.Arbitrary<Input>,
  attempt: (input: Input) => Promise<ReturnType<typeof parseResponse>>,
) {
  const statuses: Record<number, number> = {};
  const property = fc.asyncProperty(inputs, async (input) => {
    const { status } = await attempt(input);
    statuses[status] = (statuses[status] ?? 0) + 1;
  });

  // In milliseconds. The functions respond within 8.5 s in all cases.
  const timeout = 15_000;
  await fc.assert(property, { numRuns: Math.ceil(sizes.inputs / 3), seed: sizes.seed, timeout });

  report(JSON.stringify(statuses));
  // The test is useless if the first check rejects all inputs.
  expect(Object.keys(statuses)).toSatisfy((names) => names.includes('200') && names.length > 1);
}

/** Sends a request to the API. No response fails, or contains any of the input; each is JSON. */
async function ask(request: RawRequest) {
  const response = await sendRaw(stack.baseUrl, request);
  expect(response.status).toBeLessThan(500);
  expect(response.head).not.toContain(marker);
  // No response sets cookies: inputs would, if they could add a header.
  expect(response.head).not.toMatch(/set-cookie/i);
  expect(response.body).not.toContain(marker);
  expect(JSON.parse(response.body)).toBeTypeOf('object');
  return response;
}

const parameter = fc.constantFrom('grant_type', 'client_id', 'client_secret', 'scope', 'assertion');
const tokenRequest = fc.record({
  clientId: change,
  clientSecret: change,
  grantType: change,
  contentType: change,
  isBasic: fc.boolean(),
  more: seldom(fc.tuple(fc.oneof(parameter, hostileText), hostileText)),
  authorization: seldom(hostileText),
});

test(
  'no request for a token fails, hangs or is repeated',
  () =>
    attack(tokenRequest, async ({ isBasic, more = ['', ''], ...input }) => {
      const id = changed(client.client_id, input.clientId);
      const secret = changed(client.client_secret, input.clientSecret);
      const contentType = changed('application/x-www-form-urlencoded', input.contentType);
      const pairs = [['grant_type', changed('client_credentials', input.grantType)], more];
      const inForm = isBasic
        ? []
        : [
            ['client_id', id],
            ['client_secret', secret],
          ];
      const basic = Buffer.from(`${percentEncoded(id)}:${percentEncoded(secret)}`).toString('base64');
      const authorization = input.authorization ?? (isBasic ? `Basic ${basic}` : undefined);
      return ask({
        method: 'POST',
        target: '/oauth/token',
        headers: [
          ['content-type', headerBytes(contentType)],
          ...(authorization === undefined ? [] : [['authorization', headerBytes(authorization)] as const]),
        ],
        body: Buffer.from([...pairs, ...inForm].map((pair) => pair.map(percentEncoded).join('=')).join('&')),
      });
    }),
  soakTimeout,
);

const json = fc.jsonValue({ maxDepth: 3 });
const members = ['alg', 'typ', 'kid', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc'];
const claims = ['iss', 'aud', 'exp', 'nbf', 'iat', 'sub', 'client_id', 'organisation_id', 'scope', 'jti'];
const authorizations = fc.record({
  authorization: change,
  forged: seldom(
    fc.record({
      header: fc.dictionary(fc.constantFrom(...members), json),
      claims: fc.dictionary(fc.constantFrom(...claims), json),
      // CVE-2022-21449: r and s of zero verified anything.
      signature: fc.constantFrom('', Buffer.alloc(64).toString('base64url')),
    }),
  ),
  beside: seldom(hostileText),
});

test(
  'no Authorization header fails, hangs or is repeated',
  () =>
    attack(authorizations, async ({ authorization, forged, beside }) => {
      const presented =
        forged === undefined
          ? token
          : [
              tokenPart({ typ: 'at+jwt', ...decodeProtectedHeader(token), ...forged.header }),
              tokenPart({ ...validClaims(stack.baseUrl), ...forged.claims }),
              forged.signature,
            ].join('.');
      const value = headerBytes(changed(`Bearer ${presented}`, authorization));
      const values = beside === undefined ? [value] : [value, headerBytes(beside)];
      return ask({
        method: 'GET',
        target: '/v0/volumes',
        headers: values.map((text) => ['authorization', text]),
      });
    }),
  soakTimeout,
);

const segments = fc.record({
  id: change,
  before: seldom(fc.constantFrom('../', '%20', '//', '%2e%2e%2f', '%252e%252e%252f')),
  after: seldom(
    fc.constantFrom('/..', '%00', ';a=b', '?a', '%23', '%2F', '%0d%0aset-cookie:a=b', '%c0%af', '%zz'),
  ),
  encode: fc.constantFrom(headerBytes, percentEncoded, (id: string) => percentEncoded(percentEncoded(id))),
});

test(
  'no fileId fails, hangs or is repeated',
  () =>
    attack(segments, async ({ id, before = '', after = '', encode }) => {
      const segment = `${before}${encode(changed(file, id))}${after}`;
      return ask({
        method: 'POST',
        target: `/v0/files/${segment}/sync`,
        headers: [['authorization', `Bearer ${token}`]],
      });
    }),
  soakTimeout,
);

test('the logs contain no input and no error', async () => {
  const folder = join(stack.stateDirectory, 'logs');
  const files = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  const lines = (await Promise.all(files)).flatMap((text) => text.split('\n')).filter(Boolean);
  const holds = (secret: string) => lines.some((line) => line.includes(secret));
  const logged = lines.map((line): { level?: string; message?: string } => JSON.parse(line));

  expect(lines.some((line) => /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(line))).toBe(false);
  expect([marker, client.client_secret, token.slice(token.lastIndexOf('.') + 1)].map(holds)).toEqual([
    false,
    false,
    false,
  ]);
  expect(logged.filter(({ level }) => level === 'ERROR').map(({ message }) => message)).toEqual([]);
});

/**
 * A request as bytes: the sender does not encode or check it, so an attacker's malformed request is sent
 * unchanged.
 */
interface RawRequest {
  readonly method: string;
  /** Request target, one byte for each character. */
  readonly target: string;
  /** Host and Content-Length are added. One byte for each character of a value. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

/** Returns the bytes of a request. */
function encodeRequest(
  { method, target, headers = [], body = Buffer.alloc(0) }: RawRequest,
  host: string,
): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/**
 * Sends a request to the server at `origin`, e.g. `http://127.0.0.1:3000`, on a new connection.
 *
 * @throws {Error} if the server closes the connection before the end of the response
 */
async function sendRaw(origin: string, request: RawRequest) {
  return parseResponse(await exchange(origin, [encodeRequest(request, new URL(origin).host)]));
}

/** Parses a response. Each character is one byte. */
function parseResponse(bytes: string) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    throw new Error('There came no whole response');
  }
  const head = bytes.slice(0, end);
  const body = bytes.slice(end + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return {
    status,
    /** Status line and headers as received. */
    head,
    body: Buffer.from(body, 'latin1').toString(),
  };
}
