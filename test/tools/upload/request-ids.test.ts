import type { Reply } from './support/fake-service.ts';
import { service, uploadContent, useFakeService } from './support/upload-command.ts';

useFakeService();

const requestId = 'JKJaXmPLvHcESHA=';

function rejected(status: number, code: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: JSON.stringify({ error: code }) };
}

const cases = [
  [
    'a mistyped secret',
    'token',
    rejected(401, 'invalid_client'),
    3,
    'The service rejected client "client:1". The client secret is mistyped, cut or from another service: its form or its checksum is wrong. A file may have added a byte order mark or a carriage return.',
  ],
  [
    'a scope that the client lacks',
    'token',
    rejected(400, 'invalid_scope'),
    3,
    'The client "client:1" may not request the scope sync:create. An operator can allow it.',
  ],
  [
    'an insufficient token',
    'sync',
    rejected(403, 'insufficient_scope'),
    3,
    'The service rejected the access token with 403: it needs the scope sync:create, which an operator can allow.',
  ],
  [
    'an unknown file',
    'sync',
    rejected(404, 'not_found'),
    4,
    'There is no file "orders", or it belongs to another organisation.',
  ],
  [
    'a file without syncing',
    'sync',
    rejected(409, 'sync_not_enabled'),
    5,
    'The file "orders" does not have syncing enabled. An operator can enable it.',
  ],
  [
    'an unknown route',
    'sync',
    rejected(405, 'method_not_allowed'),
    1,
    'The sync endpoint responded with 405 "method_not_allowed".',
  ],
  [
    'an unknown response',
    'token',
    { status: 418, body: 'tea' },
    1,
    'The token endpoint responded with 418. Check the base URL.',
  ],
  [
    'a token that is none',
    'token',
    { status: 200, body: '{"access_token":"a b"}' },
    1,
    'The token endpoint sent an unexpected response. Check the base URL.',
  ],
] as const;

describe('the request id of a rejected request (docs/api.md 1.5)', () => {
  test.for(cases)('is quoted for %s, which has its exit code', async ([, endpoint, reply, code, says]) => {
    service.script[endpoint].push(reply);
    const run = await uploadContent('abc', '--json');
    expect(run).toMatchObject({ code, waits: [] });
    const { error, ...others } = JSON.parse(run.stdout);
    expect(others).toEqual({ request_id: requestId });
    expect(error).toBe(`${says} If you ask the operator, quote request id ${requestId}.`);
    expect(run.stderr).toBe(`error: ${error}\n`);
  });

  test('is quoted for each rejection that another attempt follows', async () => {
    service.script.sync.push(rejected(503, 'server_error'));
    const { code, stderr } = await uploadContent('abc');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^The sync endpoint responded with 503\. .* quote request id JKJaXmPLvHcESHA=\. Trying again in \S+ s\.\n$/,
    );
  });

  test('is the request id of the last response, not of an earlier one', async () => {
    service.script.token.push(rejected(503, 'server_error'), ...Array<Reply>(4).fill('cut before body'));
    const { stderr } = await uploadContent('abc', '--quiet');
    expect(stderr).toContain('Gave up after 5 of 5 attempts.');
    expect(stderr).not.toContain('request id');
  });

  test.for([
    ['a space', 'one two'],
    ['65 characters', 'x'.repeat(65)],
  ])('is left out if it has %s', async ([, id = '']) => {
    service.script.token.push(rejected(401, 'invalid_client', { 'apigw-requestid': id }));
    const { stdout, stderr } = await uploadContent('abc', '--json');
    expect(stderr).toMatch(/^error: The service rejected client .*\n$/);
    expect(stderr).not.toContain('request id');
    expect(JSON.parse(stdout)).not.toHaveProperty('request_id');
  });
});

test('a PUT that S3 rejects is quoted with the request of its upload URL and of S3', async () => {
  service.script.put.push({ status: 412 });
  const run = await uploadContent('abc', '--json');
  expect(run.stderr).toMatch(/ quote request id JKJaXmPLvHcESHA= and 4442587FB7D0A2F9 of the storage\.\n$/);
  expect(JSON.parse(run.stdout)).toMatchObject({
    request_id: requestId,
    storage_request_id: '4442587FB7D0A2F9',
  });
});
