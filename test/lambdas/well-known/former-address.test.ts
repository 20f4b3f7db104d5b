import { describe, expect, test } from 'vitest';
import { createWellKnownHandler } from '../../../lambdas/well-known/well-known-endpoint.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { baseUrl, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const former = 'https://old.test.invalid';
const discovery = 'GET /.well-known/openid-configuration';
const openapi = 'GET /v0/openapi.json';

let now = noon.getTime();

function setUp(formerBaseUrl = former) {
  now = noon.getTime();
  const handler = createWellKnownHandler({
    baseUrl,
    formerBaseUrls: [{ baseUrl: formerBaseUrl, acceptedUntil: noon.getTime() + 1000 }],
    keySet: async () => ({ keys: [] }),
    now: () => now,
    log: recordingLog().log,
  });
  return (routeKey: string, domainName?: string, ifNoneMatch?: string) =>
    handler({
      ...httpEvent({ routeKey, headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch } }),
      requestContext: { requestId: 'r', ...(domainName === undefined ? {} : { domainName }) },
    });
}

describe('issuer metadata, asked for at a former base URL', () => {
  test('names that base URL, so that the client finds the issuer that it asked for (RFC 8414 section 3.3)', async () => {
    expect(bodyOf(await setUp()(discovery, 'old.test.invalid'))).toMatchObject({
      issuer: former,
      token_endpoint: `${former}/oauth/token`,
      jwks_uri: `${former}/.well-known/jwks.json`,
    });
  });

  test('names the base URL of today from the time on', async () => {
    const get = setUp();
    now += 999;
    expect(bodyOf(await get(discovery, 'old.test.invalid'))).toMatchObject({ issuer: former });
    now += 1;
    expect(bodyOf(await get(discovery, 'old.test.invalid'))).toMatchObject({ issuer: baseUrl });
  });

  test.each([undefined, 'api.test.invalid', 'other.test.invalid', '127.0.0.1', 'constructor'])(
    'names the base URL of today to whoever asked %s',
    async (domainName) => {
      expect(bodyOf(await setUp()(discovery, domainName))).toMatchObject({ issuer: baseUrl });
    },
  );

  test('has a tag of its own, so that no cache takes one document for the other', async () => {
    const get = setUp();
    const old = header(await get(discovery, 'old.test.invalid'), 'etag');
    expect(await get(discovery, 'old.test.invalid', old)).toMatchObject({ statusCode: 304 });
    expect(await get(discovery, 'api.test.invalid', old)).toMatchObject({ statusCode: 200 });
  });

  test('is that of today where the former base URL has the same name and another port', async () => {
    const get = setUp(`${baseUrl}:8443`);
    expect(bodyOf(await get(discovery, 'api.test.invalid'))).toMatchObject({ issuer: baseUrl });
  });
});

test('the API description names the base URL of today, wherever it is asked for', async () => {
  expect(bodyOf(await setUp()(openapi, 'old.test.invalid'))).toMatchObject({ servers: [{ url: baseUrl }] });
});
