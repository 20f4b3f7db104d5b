import { expect, test } from 'vitest';
import { type Route, routes } from '../../../../contract/routes.ts';
import { describeFunction } from '../../../../lib/api-functions.ts';
import { logsOfRejections } from '../../../../lib/saved-queries.ts';
import {
  countedContents,
  rejectionsIn,
  successesIn,
} from '../../../../tools/operator/requests/count-requests.ts';
import { whyOfGateway } from '../../../../tools/operator/requests/explain.ts';
import { purposeOf } from '../../../../tools/operator/requests/timeline.ts';

/** Tests that a route which is only in the table of routes reaches everything that operators read. */

const route: Route = {
  method: 'GET',
  path: '/v0/files/{fileId}',
  needs: 'access token',
  scope: 'sync:create',
  returns: 'the details of a file',
  logs: 'uploadUrlIssued',
  rateLimit: 'fileRateLimit',
  servedBy: 'well-known',
};
// The function of the new routes also serves public documents, and its log is read once.
const all: readonly Route[] = [...Object.values(routes), route, { ...route, path: '/v0/files' }];

test('the timeline of its requests names the returned document', () => {
  expect(purposeOf(route)).toBe('the details of a file');
});

test('its rejections are counted, each once', () => {
  expect(rejectionsIn(all).toSorted()).toEqual([
    ['sync', 'Request rejected'],
    ['token', 'Access token rejected'],
    ['volumes', 'Request rejected'],
    ['well-known', 'Request rejected'],
  ]);
});

test('its successes are counted, each once', () => {
  expect(successesIn(all).toSorted()).toEqual([
    ['sync', 'Upload URL issued'],
    ['token', 'Access token issued'],
    ['well-known', 'Upload URL issued'],
  ]);
});

test('the help of usage names its response, once', () => {
  expect(countedContents(all)).toBe('an access token or an upload URL or the details of a file');
});

test('the description of its function names its response, once', () => {
  expect(describeFunction('well-known', all)).toBe('Returns public documents and the details of a file');
});

test('a 429 names the setting of its limit', () => {
  expect(whyOfGateway(429, route)).toContain(' (the setting fileRateLimit).');
});

test('the saved query for rejections reads its log', () => {
  expect(logsOfRejections(all)).toEqual(['access', 'token', 'volumes', 'sync', 'well-known']);
});
