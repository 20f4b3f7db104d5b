import { expect, test } from 'vitest';
import { startRunningStack } from '../../support/running-stack.ts';

/** docs/api.md 11.6 and 12.4, on a deployment whose tokens and upload URLs may be asked for once a second. */

test('[11.6] [12.4] a flood of a route gets 429, and leaves the other routes unaffected', async () => {
  const context = { tokenRateLimit: '1', syncRateLimit: '1' };
  const run = await startRunningStack({ throttled: true, context });
  try {
    for (const path of ['/oauth/token', '/v0/files/some-file/sync']) {
      const ask = () => fetch(`${run.baseUrl}${path}`, { method: 'POST' });
      const answers = await Promise.all(Array.from({ length: 8 }, ask));
      const throttled = answers.filter(({ status }) => status === 429);
      expect([path, throttled.length > 0]).toEqual([path, true]);
      for (const answer of throttled) {
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(await answer.text()).toBe('{"message":"Too Many Requests"}');
      }
      const others = Array.from({ length: 8 }, () => fetch(`${run.baseUrl}/.well-known/jwks.json`));
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
    }
  } finally {
    await run.close();
  }
});
