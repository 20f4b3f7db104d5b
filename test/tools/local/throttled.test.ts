import { withRateLimit } from '../../support/running-stack.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** Tests docs/api.md 11.6 and 12.4, on a deployment that allows one token and one upload URL per second. */

const changeTemplate = withRateLimit(1, 'POST /oauth/token', 'POST /v0/files/{fileId}/sync');
const stack = await useRunningStack({ throttled: true, changeTemplate });

/** Exceeds the limits. @returns response with status 429 */
async function flood(path: string) {
  const ask = () => fetch(`${stack.baseUrl}${path}`, { method: 'POST' });
  const responses = await Promise.all(Array.from({ length: 8 }, ask));
  return responses.find(({ status }) => status === 429) ?? expect.fail(`nothing is throttled: ${path}`);
}

test.for(['/oauth/token', '/v0/files/some-file/sync'])('[11.6] a flood of %s gets 429', async (path) => {
  const throttled = await flood(path);
  expect(throttled.headers.get('content-type')).toBe('application/json');
  expect(await throttled.text()).toBe('{"message":"Too Many Requests"}');
});

test('[12.4] a flood of a route leaves the other routes unaffected', async () => {
  await flood('/oauth/token');
  const others = Array.from({ length: 8 }, () => fetch(`${stack.baseUrl}/.well-known/jwks.json`));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
});
