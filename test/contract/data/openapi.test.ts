import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../../contract/openapi/document.ts';
import { routes } from '../../../contract/routes.ts';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';

const read = () => JSON.parse(JSON.stringify(openapiDocument()));

/**
 * `test/contract/openapi.test.ts` checks that it is valid, and that it contains each route with its
 * requirements and responses.
 */
describe('the API description', () => {
  test('has text in each title, summary and description', () => {
    const empty: string[] = [];
    JSON.stringify(read(), (name, value) => {
      if (['title', 'summary', 'description', 'name', 'identifier'].includes(name) && value === '') {
        empty.push(name);
      }
      return value;
    });
    expect(empty).toEqual([]);
  });

  test('has a schema for each constant text', () => {
    const { Token } = openapiDocument().components.schemas;
    expect(Token).toMatchObject({ properties: { token_type: { type: 'string', const: 'Bearer' } } });
    expect(Token).not.toHaveProperty('$schema');
  });

  test('names the schemas from which generators create classes', () => {
    const { FileSyncUploadUrl, VolumeList, Volume } = openapiDocument().components.schemas;
    expect([FileSyncUploadUrl, VolumeList, Volume]).toMatchObject([
      { properties: { data: { $ref: '#/components/schemas/UploadUrl' } } },
      { properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Volume' } } } },
      { type: 'object', properties: { id: { type: 'string' } } },
    ]);
  });

  test.for([
    ['a request without a token', ApiError.noToken()],
    ['a lacking scope', ApiError.insufficientScope('sync:create')],
    ['an unknown file', ApiError.fileNotFound(undefined)],
    ['a file without syncing', ApiError.syncNotEnabled('orders')],
  ] as const)('contains the body of the response to %s', ([, { parts }]) => {
    const { [parts.status]: rejection } = read().paths[routes.sync.path].post.responses;
    expect(rejection.content['application/json'].example).toEqual(parts.body);
  });

  const text = { error_description: '' };
  const token = { access_token: 'a', token_type: 'Bearer', expires_in: 3600, scope: 'volume:read' };

  test.for<[schema: string, right: object, wrong: object]>([
    ['Unauthorized', { message: 'Unauthorized' }, { message: 'No' }],
    ['NotFound', { error: 'not_found', ...text }, { error: 'not_found', ...text, a: 1 }],
    ['SyncNotEnabled', { error: 'sync_not_enabled', ...text }, { error: 'sync_not_enabled' }],
    ['InternalError', { error: 'internal_error', ...text }, { error: 'other', ...text }],
    ['Token', token, { ...token, token_type: 'MAC' }],
    ['Token', token, { ...token, expires_in: 0 }],
    ['Token', token, { ...token, expires_in: 1.5 }],
    ['Token', token, { ...token, scope: undefined }],
    ['TokenError', { error: 'invalid_client', ...text }, { error: 'access_denied', ...text }],
  ])('has the %s of the contract: it accepts %j, not %j', ([schema, right, wrong]) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(openapiDocument(), 'document');
    const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
    expect([validate?.(right), validate?.(wrong)]).toEqual([true, false]);
  });
});
