import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../lambdas/shared/http/api-error.ts';
import { readBearerToken } from '../../../lambdas/shared/tokens/access-token.ts';

function challengeOf(authorization: string | undefined): string | undefined {
  try {
    readBearerToken(authorization);
  } catch (error) {
    return error instanceof ApiError ? error.headers['www-authenticate'] : undefined;
  }
  return undefined;
}

describe('Authorization header (RFC 6750 section 2.1)', () => {
  test.each(['Bearer a.b.c', 'bearer a.b.c', 'BEARER a.b.c', 'Bearer   a.b.c'])(
    '%j carries a token',
    (value) => {
      expect(readBearerToken(value)).toBe('a.b.c');
    },
  );

  test.each([undefined, '', 'Basic YTpi', 'Bearertoken', 'Token x', 'Basic bearer a.b.c', ' Bearer a.b.c'])(
    '%j carries no bearer credentials: a challenge without an error (section 3.1)',
    (value) => {
      expect(challengeOf(value)).toMatch(/^Bearer realm="[^"]+"$/);
    },
  );

  test.each([
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a, Bearer a.b.c',
    'Bearer Bearer a.b.c',
    'Bearer a=b',
    'Bearer a.b.c\n',
    'Bearer a.b.c,Bearer a.b.c',
    'Bearer "x"',
    'Bearer ä',
    'Bearer =a',
  ])('%j is malformed: invalid_token', (value) => {
    expect(challengeOf(value)).toBe('Bearer error="invalid_token"');
  });
});
