import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { identifierPattern } from '../../contract/identifiers.ts';
import { compileErrors } from './support/compile.ts';
import { type OpenApiDocument, withoutEnd } from './support/document.ts';
import { lint } from './support/lint.ts';
import { openApiTypesPath, typesOf } from './support/openapi-types.ts';
import { api, test } from './support/test.ts';
import { callEveryOperation } from './support/typed-client.ts';

/** docs/api.md 10.5 to 10.9. That every answer of the suite fits the document is checked on each. */

test('[10.5] [13.1] is OpenAPI 3.1.0 and describes version 0.0.0', async () => {
  const { openapi, info } = await api.document();
  expect([openapi, info.version]).toEqual(['3.1.0', '0.0.0']);
});

test("[10.6] names this deployment's server and token endpoint, and no other", async () => {
  const document = await api.document();
  expect(document.servers.map(({ url }) => url)).toEqual([api.baseUrl]);
  const tokenUrls = [...JSON.stringify(document).matchAll(/"tokenUrl":"([^"]*)"/g)].map((match) => match[1]);
  expect(new Set(tokenUrls)).toEqual(new Set([`${api.baseUrl}/oauth/token`]));
});

test('[10.7] [1.2] describes every endpoint and no other', async () => {
  const { paths } = await api.document();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z]+ \/\S*)` \|/gm)].map(([, endpoint]) => endpoint);
  expect(listed).toContain('POST /oauth/token');
  expect(operations.sort()).toEqual(listed.sort());
});

test.for([
  ['/v0/volumes', 'get', 'volume:read', ['200', '401', '403', '429', '500']],
  ['/v0/files/{fileId}/sync', 'post', 'sync:create', ['200', '401', '403', '404', '409', '429', '500']],
] as const)('[10.7] [11.5] says what %s answers and requires', async (row) => {
  const [path, method, scope, statuses] = row;
  const operation = (await api.document()).paths[path]?.[method];
  expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([...statuses]));
  expect(operation?.security?.map((scheme) => Object.values(scheme))).toEqual([[[scope]]]);
});

test('[10.7] [11.6] describes 429 on every operation', async () => {
  const { paths } = await api.document();
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect([operation.operationId, operation.responses[429]]).toEqual([
      operation.operationId,
      expect.objectContaining({
        content: {
          'application/json': expect.objectContaining({ example: { message: 'Too Many Requests' } }),
        },
      }),
    ]);
  }
});

test('[13.2] [13.3] says that v0 is experimental, and what v1 will mean for it', async () => {
  const { description = '' } = (await api.document()).info;
  expect(description).toContain('v0 is experimental');
  expect(description).toMatch(/When v1 is there, v0 is deprecated and has a date on which it ends/);
});

test('[2.4] [10.7] describes the form of an id as the service checks it', async () => {
  const { parameters = [] } = (await api.document()).paths['/v0/files/{fileId}/sync']?.post ?? {};
  expect(parameters).toEqual([
    expect.objectContaining({
      name: 'fileId',
      schema: { type: 'string', minLength: 1, maxLength: 128, pattern: identifierPattern.source },
    }),
  ]);
});

test.for([
  ['Volume', ['id', 'name']],
  ['VolumeList', ['data']],
  ['FileSyncUploadUrl', ['data']],
  ['UploadUrl', ['upload_url']],
] as const)('[7.3] [7.4] [8.2] publishes %s', async ([name, members]) => {
  expect(schema(await api.document(), name)).toMatchObject({
    type: 'object',
    required: members,
    additionalProperties: false,
  });
});

test('[10.8] has no error and no warning in the strictest rules of Redocly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-lint-'));
  const path = join(folder, 'openapi.json');
  await writeFile(path, JSON.stringify(await api.document()));
  const report = await lint(path).finally(() => rm(folder, { recursive: true }));
  expect(report.problems).toEqual([]);
  expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
});

test('[10.9] makes the types that the suite was compiled with', async () => {
  const current = await readFile(openApiTypesPath, 'utf8');
  const stale = 'stale: run npm run generate';
  expect((await typesOf(withoutEnd(await api.document()))) === current, stale).toBe(true);
});

test('[10.9] makes a client that type-checks', () => {
  expect(compileErrors(fileURLToPath(new URL('support/typed-client.ts', import.meta.url)))).toEqual([]);
});

test('[10.9] makes a client that calls every operation', async ({ client, token, file }) => {
  const statuses = await callEveryOperation({ baseUrl: api.baseUrl, client, token, fileId: file });
  const described = Object.values((await api.document()).paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(statuses).toEqual(Object.fromEntries(described.map((operation) => [operation, 200])));
});

function schema(document: OpenApiDocument, name: string): unknown {
  return document.components.schemas?.[name];
}
