import { type Route, routes } from '../../../../contract/routes.ts';
import { describeFunction } from '../../../../lib/api-functions.ts';
import { logsOfRejections } from '../../../../lib/saved-queries.ts';
import { countedLines } from '../../../../tools/operator/requests/count-requests.ts';
import { whyOfGateway } from '../../../../tools/operator/requests/explain.ts';

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

test('its log is read to count requests, once', () => {
  const { logs } = countedLines(all);
  expect(logs).toEqual(['token', 'volumes', 'sync', 'well-known', 'record-upload', 'reconcile-uploads']);
});

test('its successes are counted by their log message', () => {
  const { succeeded } = countedLines([{ ...route, logs: 'contentDeleted' }]);
  expect(succeeded).toEqual([expect.stringMatching('^Replaced content deleted'), 'Upload recorded']);
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
