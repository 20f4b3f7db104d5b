import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { goneSchema } from '../../../contract/bodies.ts';
import type { VersionEnds } from '../../../contract/versions.ts';
import { createApiHandler } from '../../../lambdas/shared/api-endpoint.ts';
import { readVersionEnds } from '../../../lambdas/shared/environment.ts';
import { announcedEnd, untilSunset } from '../../../lambdas/shared/version-end.ts';
import { volumesEndpoint } from '../../../lambdas/volumes/volumes-endpoint.ts';
import { bodyOf, httpEvent } from '../../support/http-event.ts';
import { recordingLog } from '../support/log.ts';

const deprecatedAt = '2027-01-31T10:00:00Z';
const sunsetAt = '2028-01-31T10:00:00Z';
const notice = 'https://example.com/v0?a=1';
const ends: VersionEnds = { v0: { deprecatedAt, sunsetAt, notice } };
const sunset = Date.parse(sunsetAt);

describe('headers of a version that ends', () => {
  test('are those of RFC 9745, RFC 8594 and RFC 8288', () => {
    expect(announcedEnd('v0', ends).headers).toEqual({
      deprecation: '@1801389600',
      sunset: 'Mon, 31 Jan 2028 10:00:00 GMT',
      link: `<${notice}>; rel="deprecation", <${notice}>; rel="sunset"`,
    });
  });

  test('name only what is set', () => {
    expect(announcedEnd('v0', { v0: { deprecatedAt } }).headers).toEqual({ deprecation: '@1801389600' });
    expect(announcedEnd('v0', { v0: { sunsetAt } }).headers).toEqual({
      sunset: 'Mon, 31 Jan 2028 10:00:00 GMT',
    });
    // A link without the header tells of a policy (RFC 9745 section 3).
    expect(announcedEnd('v0', { v0: { notice } }).headers).toEqual({
      link: `<${notice}>; rel="deprecation"`,
    });
    expect(announcedEnd('v0', {})).toEqual({ headers: {} });
  });

  test('are read from the one variable of the function, and there are none without it', () => {
    expect(readVersionEnds({ VERSION_ENDS: JSON.stringify(ends) })).toEqual(ends);
    expect(readVersionEnds({})).toEqual({});
    expect(readVersionEnds({ VERSION_ENDS: '' })).toEqual({});
  });
});

function serve(now: () => number, given: VersionEnds = ends, scopes = ['volume:read']) {
  const { log, lines, values } = recordingLog();
  const handler = createApiHandler(volumesEndpoint, {
    verifyAccessToken: async (token) => {
      if (token === 'broken') {
        throw new Error('no key set');
      }
      return { clientId: 'c', organisationId: 'o', scopes: new Set(scopes) };
    },
    log,
    ends: given,
    now,
  });
  const ask = (authorization?: string) =>
    handler(httpEvent({ headers: authorization === undefined ? {} : { authorization } }));
  return { ask, lines, values };
}

describe('a version before its end', () => {
  const before = () => sunset - 1;

  test.each([
    ['200', 'Bearer token', ['volume:read']],
    ['401', undefined, []],
    ['403', 'Bearer token', []],
    ['500', 'Bearer broken', []],
  ])('says so on a %s', async (status, authorization, scopes) => {
    const answer = await serve(before, ends, scopes).ask(authorization);
    expect(String(answer.statusCode)).toBe(status);
    expect(answer.headers).toMatchObject({
      ...announcedEnd('v0', ends).headers,
      'cache-control': 'no-store',
    });
  });

  test('answers as without an announcement, but for the headers', async () => {
    const [announced, plain] = [serve(before), serve(before, {})];
    for (const authorization of ['Bearer token', undefined]) {
      const [one, other] = [await announced.ask(authorization), await plain.ask(authorization)];
      const { deprecation, sunset: end, link, ...rest } = { ...one.headers };
      expect({ ...one, headers: rest }).toEqual(other);
      expect([deprecation, end, link].every((value) => value !== undefined)).toBe(true);
    }
    expect(announced.lines).toEqual(plain.lines);
  });
});

describe('a version after its end', () => {
  test('is 410 from that second on, with or without a token, and back when the clock is', async () => {
    let at = sunset - 1;
    const { ask } = serve(() => at);
    expect((await ask('Bearer token')).statusCode).toBe(200);
    at = sunset;
    expect((await ask('Bearer token')).statusCode).toBe(410);
    expect((await ask()).statusCode).toBe(410);
    at = sunset - 1;
    expect((await ask('Bearer token')).statusCode).toBe(200);
  });

  test('says when it ended and where to read on, in the form of the other errors, and is in no cache', async () => {
    const answer = await serve(() => sunset).ask('Bearer token');
    const body = bodyOf(answer);
    expect(v.is(goneSchema, body)).toBe(true);
    expect(body).toEqual({
      error: 'gone',
      error_description: `Version v0 of this API ended at ${sunsetAt}; see ${notice}`,
    });
    expect(answer.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...announcedEnd('v0', ends).headers,
    });
  });

  test('without a notice sends people to the operator', async () => {
    const { error_description } = bodyOf(await serve(() => sunset, { v0: { sunsetAt } }).ask());
    expect(error_description).toBe(
      `Version v0 of this API ended at ${sunsetAt}; ask the operator what to use in its place`,
    );
  });

  test('writes one line for each request', async () => {
    const { ask, lines } = serve(() => sunset);
    await ask('Bearer token');
    expect(lines).toEqual([
      {
        level: 'WARN',
        message: 'requestRefused',
        request_id: 'request-1',
        route: 'GET /',
        version: 'v0',
        status: 410,
        refusal: 'gone',
        reason: 'The version has ended',
      },
    ]);
  });
});

test('a version without an end costs a request nothing: its handler stays as it is', () => {
  const handler = async () => ({ statusCode: 200 });
  const never = () => {
    throw new Error('asked for the time');
  };
  const { log } = recordingLog();
  const options = { now: never, log };
  expect(untilSunset('v0', handler, announcedEnd('v0', {}), options)).toBe(handler);
  expect(untilSunset('v0', handler, announcedEnd('v0', { v0: { deprecatedAt } }), options)).toBe(handler);
});
