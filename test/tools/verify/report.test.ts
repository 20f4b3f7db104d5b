import { describe, expect, it, test } from 'vitest';
import { isGood, type Report, type Result, summary } from '../../../tools/verify/report.ts';
import {
  judge,
  LeftOut,
  NotChecked,
  outcomeOf,
  withoutSecrets,
} from '../../../tools/verify/world/outcome.ts';

const result = (verdict: Result['verdict'], must = true): Result => ({
  id: 's3-largest-put',
  kind: 'fact',
  must,
  verdict,
  seen: 'Something was seen.',
  details: [],
});

const report = (results: readonly Result[], complete = true): Report => ({
  deployment: 'a local run',
  baseUrl: 'http://127.0.0.1:3000',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  complete,
  results,
  left: [],
});

describe('a report', () => {
  it.each(['holds', 'left out'] as const)('is good when something that must hold: %s', (verdict) => {
    expect(isGood(report([result('holds'), result(verdict)]))).toBe(true);
  });

  it.each(['does not hold', 'not checked'] as const)(
    'is not good when something that must hold: %s, and names it',
    (verdict) => {
      const bad = report([result('holds'), result(verdict)]);
      expect(isGood(bad)).toBe(false);
      expect(summary(bad)).toContain('Not everything that must hold does: s3-largest-put.');
      expect(isGood(report([result(verdict, false)]))).toBe(true);
    },
  );

  it('of a run that was stopped is not good, although all that was looked at holds', () => {
    const stopped = report([result('holds')], false);
    expect(isGood(stopped)).toBe(false);
    expect(summary(stopped)).toMatch(/^The run was stopped\./);
  });
});

describe('an outcome', () => {
  it('says what was compared', () => {
    expect(judge(true, 'seen')).toEqual({ verdict: 'holds', seen: 'seen' });
    expect(judge(false, 'seen')).toEqual({ verdict: 'does not hold', seen: 'seen' });
  });

  it('of a look that throws is not known', async () => {
    const thrown = (error: Error) => outcomeOf(() => Promise.reject(error));
    expect(await thrown(new TypeError('broken'))).toEqual({
      verdict: 'not checked',
      seen: 'TypeError: broken',
    });
    expect(await thrown(new NotChecked('No right'))).toEqual({ verdict: 'not checked', seen: 'No right' });
    expect(await thrown(new LeftOut('Not asked for'))).toEqual({
      verdict: 'left out',
      seen: 'Not asked for',
    });
  });

  it('shows no secret, in what was seen and in what was thrown', async () => {
    const seen = 'PUT https://bucket.s3.amazonaws.com/uploads/1?X-Amz-Signature=abc';
    const shown = 'PUT https://bucket.s3.amazonaws.com/uploads/1?(not shown)';
    expect((await outcomeOf(async () => judge(true, seen))).seen).toBe(shown);
    expect((await outcomeOf(() => Promise.reject(new Error(seen)))).seen).toBe(shown);
  });
});

test.each([
  ['token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!', 'token (a token, not shown)!'],
  ['X-Amz-Signature=0123&X-Amz-Expires=60', 'X-Amz-Signature=(not shown)&X-Amz-Expires=60'],
  ['x-amz-security-token=abc+d', 'X-Amz-security-token=(not shown)'],
  ['one\n  two', 'one two'],
  ['a'.repeat(401), `${'a'.repeat(400)}…`],
])('of %j a report shows %j', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});
