import { expect, test } from 'vitest';
import { createApiHandler } from '../../../lambdas/shared/http/api-endpoint.ts';
import { deprecationHeaders } from '../../../lambdas/shared/http/deprecation.ts';
import { volumesEndpoint } from '../../../lambdas/volumes/volumes-endpoint.ts';
import { httpEvent } from '../../support/http-event.ts';
import { recordingLog } from '../support/log.ts';

const V0_DEPRECATED_AT = '2027-01-31T10:00:00Z';
const V0_SUNSET_AT = '2028-01-31T10:00:00Z';
const [deprecation, sunset] = ['@1801389600', 'Mon, 31 Jan 2028 10:00:00 GMT'];

test('the headers are those of RFC 9745 and RFC 8594, and name only what is set', () => {
  expect(deprecationHeaders({ V0_DEPRECATED_AT, V0_SUNSET_AT })).toEqual({ deprecation, sunset });
  expect(deprecationHeaders({ V0_DEPRECATED_AT })).toEqual({ deprecation });
  expect(deprecationHeaders({ V0_SUNSET_AT })).toEqual({ sunset });
  expect(deprecationHeaders({ V0_SUNSET_AT: '' })).toEqual({});
  expect(deprecationHeaders({})).toEqual({});
});

test('they are on answers of every status', async () => {
  const seen = [];
  for (const [authorization, scopes] of [
    ['Bearer token', ['volume:read']],
    [undefined, []],
    ['Bearer token', []],
    ['Bearer broken', []],
  ] as const) {
    const handler = createApiHandler(volumesEndpoint, {
      verifyAccessToken: async (token) => {
        if (token === 'broken') {
          throw new Error('no key set');
        }
        return { clientId: 'c', organisationId: 'o', scopes: new Set(scopes) };
      },
      log: recordingLog().log,
      headers: deprecationHeaders({ V0_DEPRECATED_AT, V0_SUNSET_AT }),
    });
    const answer = await handler(
      httpEvent({ headers: authorization === undefined ? {} : { authorization } }),
    );
    expect(answer.headers).toMatchObject({ deprecation, sunset, 'cache-control': 'no-store' });
    seen.push(answer.statusCode);
  }
  expect(seen).toEqual([200, 401, 403, 500]);
});
