import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { answerUnexpectedError } from '../../../lambdas/shared/http/messages.ts';
import { openapiDocument } from '../../../lambdas/well-known/openapi/document.ts';
import { bodyOf, httpEvent } from '../../support/http-event.ts';
import { recordingLog } from '../support/log.ts';

const { responses } = openapiDocument().paths['/v0/files/{fileId}/sync'].post;

/** The body that the API description shows for a status. */
function published(status: 401 | 403 | 404 | 409 | 500): unknown {
  return responses[`${status}`].content['application/json'].example;
}

describe('a refusal of the API', () => {
  test.each([
    ['without a token', ApiError.noToken(), 401],
    ['for a token that is not valid', ApiError.invalidToken('any'), 401],
    ['for a lacking scope', ApiError.insufficientScope('sync:create'), 403],
    ['for an unknown file', ApiError.fileNotFound(), 404],
    ['for a file without syncing', ApiError.syncNotEnabled(), 409],
  ] as const)('%s has the body that the API description shows', (_name, { status, body }, expected) => {
    expect(status).toBe(expected);
    expect(body).toEqual(published(expected));
  });

  test('challenges in the realm of the service only when there was no token (RFC 6750 section 3.1)', () => {
    expect(ApiError.noToken().headers).toEqual({ 'www-authenticate': 'Bearer realm="file-sync-api"' });
    expect(ApiError.invalidToken('any').headers).toEqual({
      'www-authenticate': 'Bearer error="invalid_token"',
    });
    expect(ApiError.fileNotFound().headers).toEqual({});
  });
});

test('an unexpected failure has the body that the API description shows, and no cache may store it', () => {
  const { log } = recordingLog();
  const answer = answerUnexpectedError(new Error('hush'), httpEvent(), log);
  expect(bodyOf(answer)).toEqual(published(500));
  expect(answer.headers).toEqual({ 'content-type': 'application/json', 'cache-control': 'no-store' });
});
