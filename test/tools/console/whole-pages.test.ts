import { seedClient } from './support/seed.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter, send } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);
const { deployment } = console.aws;
const { client_id: id } = await seedClient(deployment);

test.for([
  ['the reference page', '/reference', 'script-src'],
  ['a guide', `/clients/${id}/guide`, 'style-src'],
] as const)('the policy of %s contains its own hashes and a sandbox', async ([, path, directive]) => {
  const { status, headers, text } = await visitor.get(path);
  const policy = headers['content-security-policy'] ?? '';
  expect(status).toBe(200);
  expect(policy).toMatch(new RegExp(`^default-src 'none'; ${directive}( 'sha256-[\\w+/=]{44}')+;`));
  expect(policy).toContain("frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads");
  expect(policy).not.toMatch(/unsafe-eval|allow-same-origin|connect-src|https?:/);
  expect(text).toContain('<meta http-equiv="content-security-policy" content="default-src');
  expect((await send(`${console.origin}${path}`)).status).toBe(401);
});
