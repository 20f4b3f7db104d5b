import { expect, test } from 'vitest';
import { startRunningStack } from '../../support/running-stack.ts';

/** docs/api.md 11.6 and 12.4, on a deployment that takes one request per second. */

test('[11.6] [12.4] requests above the rate of the deployment get 429 on every endpoint', async () => {
  const run = await startRunningStack({
    throttled: true,
    context: { throttlingRateLimit: '1', throttlingBurstLimit: '1' },
  });
  try {
    for (const [method, path] of [
      ['POST', '/oauth/token'],
      ['GET', '/v0/volumes'],
      ['POST', '/v0/files/some-file/sync'],
      ['GET', '/v0/openapi.json'],
    ] as const) {
      const ask = () => fetch(`${run.baseUrl}${path}`, { method });
      const answers = await Promise.all(Array.from({ length: 8 }, ask));
      const throttled = answers.filter(({ status }) => status === 429);
      expect([path, throttled.length > 0]).toEqual([path, true]);
      for (const answer of throttled) {
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(await answer.text()).toBe('{"message":"Too Many Requests"}');
      }
    }
  } finally {
    await run.close();
  }
});

test('a flood of a public document is throttled, and leaves tokens and upload URLs unaffected', async () => {
  const limits = { throttlingRateLimit: '30', throttlingBurstLimit: '60' };
  const shares = { tokenRateLimit: '10', syncRateLimit: '10', otherRateLimit: '2' };
  const run = await startRunningStack({ throttled: true, context: { ...limits, ...shares } });
  try {
    const statuses = async (count: number, method: string, path: string) => {
      const ask = async () => (await fetch(`${run.baseUrl}${path}`, { method })).status;
      return new Set(await Promise.all(Array.from({ length: count }, ask)));
    };
    const flood = await statuses(200, 'GET', '/.well-known/jwks.json');
    expect(flood).toContain(429);
    // Without credentials these are refused, but by the functions and not by the throttle.
    expect(await statuses(8, 'POST', '/oauth/token')).toEqual(new Set([400]));
    expect(await statuses(8, 'POST', '/v0/files/some-file/sync')).toEqual(new Set([401]));
  } finally {
    await run.close();
  }
});
