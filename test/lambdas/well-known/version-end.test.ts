import { describe, expect, test } from 'vitest';
import { goneSchema } from '../../../contract/bodies.ts';
import type { VersionEnd } from '../../../contract/versions.ts';
import { announcedEnd } from '../../../lambdas/shared/version-end.ts';
import { goneJsonSchema } from '../../../lambdas/well-known/describe-end.ts';
import published from '../../../lambdas/well-known/openapi.json' with { type: 'json' };
import { createWellKnownHandler } from '../../../lambdas/well-known/well-known-endpoint.ts';
import { convert } from '../../../scripts/openapi/schemas.ts';
import { bodyOf, header, httpEvent } from '../../support/http-event.ts';
import { baseUrl } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';

const end: VersionEnd = {
  deprecatedAt: '2027-01-31T10:00:00Z',
  sunsetAt: '2028-01-31T10:00:00Z',
  notice: 'https://example.com/v0',
};
const deprecated = Date.parse('2027-01-31T10:00:00Z');
const sunset = Date.parse('2028-01-31T10:00:00Z');
const announced = announcedEnd('v0', { v0: end }).headers;

type Operation = {
  readonly deprecated?: boolean;
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly headers?: object }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

function setUp(given: VersionEnd | undefined, start: number) {
  const clock = { at: start };
  const { log, lines, values } = recordingLog();
  const handler = createWellKnownHandler({
    baseUrl,
    keySet: async () => Promise.reject(new Error('down')),
    now: () => clock.at,
    log,
    ...(given && { ends: { v0: given } }),
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    handler(httpEvent({ routeKey: `GET ${path}`, headers }));
  return { get, clock, lines, values };
}

async function documentAt(given: VersionEnd | undefined, at: number): Promise<Document> {
  return bodyOf(await setUp(given, at).get('/v0/openapi.json')) as Document;
}

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation, isOfV0: path.startsWith('/v0/') })),
  );
}

describe('the API description of a version that ends', () => {
  test('marks the operations of the version, and no others, as deprecated: from the time on', async () => {
    for (const [at, expected] of [
      [deprecated - 1, undefined],
      [deprecated, true],
    ] as const) {
      const operations = operationsOf(await documentAt(end, at));
      expect(operations.filter(({ isOfV0 }) => isOfV0)).toHaveLength(3);
      for (const { path, operation, isOfV0 } of operations) {
        expect([path, operation.deprecated]).toEqual([path, isOfV0 ? expected : undefined]);
      }
    }
  });

  test('gets another entity tag when the version becomes deprecated, in a function that runs on', async () => {
    const { get, clock } = setUp(end, deprecated - 1);
    const before = header(await get('/v0/openapi.json'), 'etag') ?? '';
    expect((await get('/v0/openapi.json', { 'if-none-match': before })).statusCode).toBe(304);
    clock.at = deprecated;
    const answer = await get('/v0/openapi.json', { 'if-none-match': before });
    expect(answer.statusCode).toBe(200);
    const since = header(answer, 'etag') ?? '';
    expect((await get('/v0/openapi.json', { 'if-none-match': since })).statusCode).toBe(304);
  });

  test('describes the headers on every answer that the functions send, and the 410', async () => {
    const document = await documentAt(end, deprecated);
    const names = ['Deprecation', 'Sunset', 'Link'];
    for (const { path, operation, isOfV0 } of operationsOf(document)) {
      const statuses = Object.entries(operation.responses).filter(
        ([status]) => !['429', '410'].includes(status),
      );
      for (const [status, { headers = {} }] of statuses) {
        const described = names.filter((name) => name in headers);
        expect([path, status, described]).toEqual([path, status, isOfV0 ? names : []]);
      }
      expect([path, operation.responses[410]?.$ref]).toEqual([
        path,
        isOfV0 ? '#/components/responses/Gone' : undefined,
      ]);
    }
    expect(Object.keys(document.components.headers ?? {})).toEqual(names);
    expect(document.components.schemas?.Gone).toEqual(goneJsonSchema);
    expect(document.components.responses?.Gone).toMatchObject({
      content: { 'application/json': { example: { error: 'gone' } } },
    });
  });

  test('describes the body of the 410 by the schema of the contract', () => {
    expect(convert(goneSchema)).toEqual(goneJsonSchema);
  });

  test('has what is set and nothing more', async () => {
    const { components } = await documentAt({ deprecatedAt: '2027-01-31T10:00:00Z' }, deprecated);
    expect(Object.keys(components.headers ?? {})).toEqual(['Deprecation']);
    expect(components).not.toHaveProperty('responses');
    const plain = await documentAt(undefined, sunset);
    expect(JSON.stringify(plain)).toBe(
      JSON.stringify(published).replaceAll('https://file-sync.invalid', baseUrl),
    );
  });
});

describe('answers of the public documents', () => {
  test.each([{}, { 'if-none-match': '*' }])('name the end under /v0 alone: %j', async (headers) => {
    const { get } = setUp(end, deprecated);
    expect((await get('/v0/openapi.json', headers)).headers).toMatchObject(announced);
    for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
      for (const name of Object.keys(announced)) {
        expect((await get(path, headers)).headers).not.toHaveProperty(name);
      }
    }
  });

  test('are 410 after the end under /v0 alone', async () => {
    const { get } = setUp(end, sunset);
    const answer = await get('/v0/openapi.json');
    expect(answer.statusCode).toBe(410);
    expect(answer.headers).toMatchObject({ ...announced, 'cache-control': 'no-store' });
    expect(bodyOf(answer).error).toBe('gone');
    expect((await get('/.well-known/openid-configuration')).statusCode).toBe(200);
  });
});
