import { expect, test } from 'vitest';
import { startLocalRun } from '../support/local-run.ts';

/** docs/api.md 11.6 and 12.4, on a deployment that takes one request per second. */

test('[11.6] [12.4] requests above the rate of the deployment get 429 on every endpoint', async () => {
  const run = await startLocalRun({ context: { throttlingRateLimit: '1', throttlingBurstLimit: '1' } });
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
    await run.stop();
  }
});
