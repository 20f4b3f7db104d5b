import { expect, test } from 'vitest';
import { admin } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** docs/api.md 11.6 and 12.4, on a deployment whose tokens and upload URLs may be asked for once a second. */

const context = { tokenRateLimit: '1', syncRateLimit: '1' };
const stack = await useRunningStack({ throttled: true, context });

test('the story of a throttled request names the setting of its limit', async () => {
  const ask = () => fetch(`${stack.baseUrl}/v0/files/some-file/sync`, { method: 'POST' });
  const answers = await Promise.all(Array.from({ length: 8 }, ask));
  const throttled = answers.find(({ status }) => status === 429);
  const id = throttled?.headers.get('apigw-requestid') ?? '';
  const { stdout } = await admin(stack.deployment, ['--local', 'request', 'show', id]);
  expect(stdout).toContain('than its limit allows (the setting syncRateLimit)');
});

test('[11.6] [12.4] a flood of a route gets 429, and leaves the other routes unaffected', async () => {
  for (const path of ['/oauth/token', '/v0/files/some-file/sync']) {
    const ask = () => fetch(`${stack.baseUrl}${path}`, { method: 'POST' });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    const throttled = answers.filter(({ status }) => status === 429);
    expect([path, throttled.length > 0]).toEqual([path, true]);
    for (const answer of throttled) {
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.text()).toBe('{"message":"Too Many Requests"}');
    }
    const others = Array.from({ length: 8 }, () => fetch(`${stack.baseUrl}/.well-known/jwks.json`));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
  }
});
