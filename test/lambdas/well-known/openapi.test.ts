import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { routeKey, routes } from '../../../contract/routes.ts';
import { TokenError } from '../../../lambdas/token/token-error.ts';
import { openapiDocument } from '../../../lambdas/well-known/openapi/document.ts';

describe('OpenAPI document', () => {
  test('is valid, and each title, summary and description says something', async () => {
    const document = JSON.parse(JSON.stringify(openapiDocument()));
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    const empty: string[] = [];
    JSON.stringify(document, (name, value) => {
      if (['title', 'summary', 'description', 'name', 'identifier'].includes(name) && value === '') {
        empty.push(name);
      }
      return value;
    });
    expect(empty).toEqual([]);
    expect(document).toMatchObject({
      info: {
        contact: { name: 'The operator of this deployment' },
        license: { identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ description: 'This deployment' }],
      tags: ['Authentication', 'Volumes', 'Files', 'Description'].map((name) => ({ name })),
    });
  });

  test('has a schema for each constant text, and names what generators make a class of', () => {
    const { FileSyncUploadUrl, VolumeList, Token, Volume } = openapiDocument().components.schemas;
    expect(Token).toMatchObject({ properties: { token_type: { type: 'string', const: 'Bearer' } } });
    expect(Token).not.toHaveProperty('$schema');
    expect(FileSyncUploadUrl).toMatchObject({
      properties: { data: { $ref: '#/components/schemas/UploadUrl' } },
    });
    expect(VolumeList).toMatchObject({
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Volume' } } },
    });
    expect(Volume).toMatchObject({ type: 'object', properties: { id: { type: 'string' } } });
  });

  test('describes each route, with the parameters of its path', () => {
    interface Described {
      readonly parameters?: readonly { readonly name: string; readonly in: string }[];
    }
    const paths: Record<string, Record<string, Described>> = JSON.parse(
      JSON.stringify(openapiDocument().paths),
    );
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters = [] }]) => {
        const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        return [`${method.toUpperCase()} ${path}`, names];
      }),
    );
    const expected = Object.values(routes).map((route) => [
      routeKey(route),
      route.path.match(/(?<=\{)\w+/g) ?? [],
    ]);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
  });

  test('names the answers of each API operation as the contract does', () => {
    const { [routes.volumes.path]: volumes, [routes.sync.path]: sync } = JSON.parse(
      JSON.stringify(openapiDocument().paths),
    );
    expect(Object.keys(volumes.get.responses)).toEqual(['200', '401', '403', '429', '500']);
    expect(Object.keys(sync.post.responses)).toEqual(['200', '401', '403', '404', '409', '429', '500']);
    expect(volumes.get.security).toEqual([{ clientCredentials: ['volume:read'] }]);
    expect(sync.post.security).toEqual([{ clientCredentials: ['sync:create'] }]);
  });

  test('shows the answer that the token endpoint gives to a client that is not authenticated', () => {
    const { 401: refusal } = openapiDocument().paths[routes.token.path].post.responses;
    const { body } = TokenError.invalidClient('The client is revoked');
    expect(refusal.content['application/json'].example).toEqual(body);
    for (const reason of ['missing', 'wrong', 'malformed', 'revoked']) {
      expect(refusal.description).toContain(reason);
    }
  });

  const text = { error_description: '' };
  const token = { access_token: 'a', token_type: 'Bearer', expires_in: 3600, scope: 'volume:read' };
  const bodies: readonly (readonly [schema: string, right: object, wrong: object])[] = [
    ['VolumeList', { data: [] }, { data: [], more: 1 }],
    ['Volume', { id: 'a', name: 'b' }, { id: 'a', name: 'b', size: 1 }],
    ['FileSyncUploadUrl', { data: { upload_url: 'https://a' } }, { data: {} }],
    ['Unauthorized', { message: 'Unauthorized' }, { message: 'No' }],
    ['InsufficientScope', { error: 'insufficient_scope', ...text }, { error: 'insufficient_scope' }],
    ['NotFound', { error: 'not_found', ...text }, { error: 'not_found', ...text, a: 1 }],
    ['SyncNotEnabled', { error: 'sync_not_enabled', ...text }, { error: 'sync_not_enabled' }],
    ['InternalError', { error: 'internal_error', ...text }, { error: 'other', ...text }],
    ['Token', token, { ...token, token_type: 'MAC' }],
    ['Token', token, { ...token, expires_in: 0 }],
    ['Token', token, { ...token, expires_in: 1.5 }],
    ['Token', token, { ...token, scope: undefined }],
    ['TokenError', { error: 'invalid_client', ...text }, { error: 'access_denied', ...text }],
    ['TooManyRequests', { message: 'Too Many Requests' }, { message: 'Unauthorized' }],
  ];

  test('takes the bodies of the contract, and refuses others', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(openapiDocument(), 'document');
    for (const [schema, right, wrong] of bodies) {
      const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
      expect([validate?.(right), validate?.(wrong)], schema).toEqual([true, false]);
    }
  });
});
