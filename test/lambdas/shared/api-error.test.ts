import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { openapiDocument } from '../../../lambdas/well-known/openapi/document.ts';

const { paths } = JSON.parse(JSON.stringify(openapiDocument()));
const { responses } = paths['/v0/files/{fileId}/sync'].post;

/** The body that the API description shows for a status. */
function published(status: 401 | 403 | 404 | 409): unknown {
  return responses[`${status}`].content['application/json'].example;
}

describe('a refusal of the API', () => {
  test.each([
    ['without a token', ApiError.noToken(), 401],
    ['for a token that is not valid', ApiError.invalidToken('any'), 401],
    ['for a lacking scope', ApiError.insufficientScope('sync:create'), 403],
    ['for an unknown file', ApiError.fileNotFound(undefined), 404],
    ['for a file without syncing', ApiError.syncNotEnabled('orders'), 409],
  ] as const)('%s has the body that the API description shows', (_name, { status, body }, expected) => {
    expect(status).toBe(expected);
    expect(body).toEqual(published(expected));
  });
});
