import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { identifierPattern } from '../../contract/identifiers.ts';
import { api, test } from './support/test.ts';
import { byBasic, formType, requestToken, tokenResponse } from './support/token-request.ts';

/** docs/api.md 10.5 to 10.9. Each test of the suite compares its own responses with the document. */

test('[10.5] [13.1] is OpenAPI 3.1.0 and describes version 0.0.0', async () => {
  const { openapi, info } = await api.document();
  expect([openapi, info.version]).toEqual(['3.1.0', '0.0.0']);
});

test("[10.6] names this deployment's server and token endpoint", async () => {
  const document = await api.document();
  expect(document.servers.map(({ url }) => url)).toEqual([api.baseUrl]);
  const tokenUrls = [...JSON.stringify(document).matchAll(/"tokenUrl":"([^"]*)"/g)].map((match) => match[1]);
  expect(new Set(tokenUrls)).toEqual(new Set([`${api.baseUrl}/oauth/token`]));
});

test('[10.7] [1.2] describes every endpoint and its credentials', async () => {
  const { paths } = await api.document();
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => {
      const [scheme] = security ?? [];
      const scope = scheme?.clientCredentials?.map((name) => `Scope \`${name}\``).join();
      return `${method.toUpperCase()} ${path}: ${scope ?? (scheme ? 'Client ID and client secret' : 'Nothing')}`;
    }),
  );
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [, rules = ''] = page.split('\n## 1. ');
  const rows = [...rules.matchAll(/^\| `([A-Z]+ \/\S*)` \|.*\| (.+) \|$/gm)];
  const listed = rows.map(([, endpoint, needs]) => `${endpoint}: ${needs}`);
  expect(listed).toContain('POST /oauth/token: Client ID and client secret');
  expect(operations.sort()).toEqual(listed.sort());
});

test('[10.7] [11.6] describes 429 on every operation', async () => {
  const operations = await allOperations();
  const example = expect.objectContaining({ example: { message: 'Too Many Requests' } });
  const described = expect.objectContaining({ content: { 'application/json': example } });
  expect(operations.map(({ operationId, responses }) => [operationId, responses[429]])).toEqual(
    operations.map(({ operationId }) => [operationId, described]),
  );
});

test('[13.2] [13.3] describes v0, and its end after v1', async () => {
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

test('[7.3] [7.4] [8.2] allows no members but those of a resource', async () => {
  const { schemas } = (await api.document()).components;
  const closed = (...required: readonly string[]) =>
    expect.objectContaining({ type: 'object', required, additionalProperties: false });
  expect(schemas).toMatchObject({
    Volume: closed('id', 'name'),
    VolumeList: closed('data'),
    FileSyncUploadUrl: closed('data'),
    UploadUrl: closed('upload_url'),
  });
});

test('[10.8] is valid by the JSON Schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(await api.document())));
  expect([valid, errors]).toEqual([true, undefined]);
});

test('[10.9] gets a token for Basic and the defaults, which Postman sends', async ({ client }) => {
  const { requestBody } = (await api.document()).paths['/oauth/token']?.post ?? {};
  const { properties } = requestBody?.content[formType]?.schema ?? { properties: {} };
  const form = Object.entries(properties).map(
    ([name, field]) => [name, field.default ?? '<string>'] as const,
  );
  expect(form.map(([name]) => name).sort()).toEqual(['client_id', 'client_secret', 'grant_type', 'scope']);
  const pending = await requestToken(byBasic(client, form));
  expect(tokenResponse(pending).scope.split(' ').sort()).toEqual(['sync:create', 'volume:read']);
});

test('[10.9] describes for 404 and 500 also the body of API Gateway', async () => {
  const operations = await allOperations();
  const described = operations.flatMap(({ operationId, responses }) =>
    ['404', '500'].flatMap((status) =>
      responses[status] ? [[operationId, responses[status]] as const] : [],
    ),
  );
  expect(described.length).toBeGreaterThan(operations.length);
  const gatewayError = { $ref: '#/components/schemas/GatewayError' };
  const schema = { oneOf: [expect.anything(), gatewayError] };
  const response = expect.objectContaining({
    content: { 'application/json': expect.objectContaining({ schema }) },
  });
  expect(described).toEqual(described.map(([operationId]) => [operationId, response]));
});

test('[10.9] names each operation once, so that generators can', async () => {
  const operations = await allOperations();
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.length).toBeGreaterThanOrEqual(7);
  expect(ids.filter((id, index) => !/^[a-z]\w+$/i.test(id) || ids.indexOf(id) !== index)).toEqual([]);
});

async function allOperations() {
  return Object.values((await api.document()).paths).flatMap((item) => Object.values(item));
}
