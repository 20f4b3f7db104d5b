import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { givenTarget, runSuite } from '../../../tools/verify/contract-suite.ts';
import { type Check, withoutSecrets } from '../../../tools/verify/outcome.ts';
import { checksOf } from '../../../tools/verify/program.ts';
import { verify } from '../../support/run-verify.ts';

/** Tests the options of `npm run verify`, without a deployment. */

const checks = checksOf({ kind: 'stack', name: 'dev' });

test.for<[readonly string[], string]>([
  [[], 'add --stack NAME, --local'],
  [['--local', '--base-url', 'http://127.0.0.1:9'], '--base-url, --stack or --local'],
  [['--base-url', 'ftp://127.0.0.1'], 'not an http or https URL'],
  [['--base-url', 'http://127.0.0.1:9'], 'Set FILE_SYNC_CLIENT_ID'],
  [['--local', '--stack', 'dev'], '--stack or --local'],
  [['--local', '--skip', 'rotations'], 'which is not a check'],
  [['--locale'], 'unknown option'],
  [['--stack', 'dev', '--only', 'rotation'], 'add --yes'],
  [['--stack', 'dev', '--only', 'revocation'], 'add --yes'],
])('invalid arguments end it with 2: %j', async ([parameters, says]) => {
  const { code, stdout, stderr } = await verify(parameters, { openStack: async () => ({}) as Deployment });
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)]);
});

test('the help and docs/aws-facts.md name checks that there are', async () => {
  const ids = checks.map(({ id }: Check) => id);
  const help = (await verify(['--help'], {})).stdout.replace(/\s+/g, ' ');
  expect(help).toContain(`commas): ${ids.join(', ')} With`);
  const page = await readFile('docs/aws-facts.md', 'utf8');
  const named = [...page.matchAll(/^\| `[a-z0-9-]+` \| .+ \| (?:no|`([a-z-]+)`) \|$/gm)];
  expect(named.length).toBe([...page.matchAll(/^\| `/gm)].length);
  expect(named.filter(([, id]) => id !== undefined && !ids.includes(id))).toEqual([]);
});

test('its output contains no secret', () => {
  const shown = {
    'token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!': 'token (a token, not shown)!',
    'PUT https://a.example/uploads/1?X-Amz-Signature=abc': 'PUT https://a.example/uploads/1?(not shown)',
    'X-Amz-Signature=0123&X-Amz-Expires=60': 'X-Amz-Signature=(not shown)&X-Amz-Expires=60',
    'x-amz-security-token=abc+d': 'x-amz-security-token=(not shown)',
  };
  expect(Object.keys(shown).map(withoutSecrets)).toEqual(Object.values(shown));
});

test('contract: the suite gets the deployment to test', async () => {
  const runner = join(await temporaryFolder(), 'runner.mjs');
  await writeFile(runner, 'console.log(process.env.FILE_SYNC_CONTRACT_TARGET); process.exitCode = 3;');
  const target = { kind: 'stack', name: 'dev' } as const;
  const output = `${JSON.stringify(target)}\n`;
  expect(await runSuite(target, 'pipe', runner)).toEqual({ code: 3, output });
});

test('--base-url passes the named clients and files to the suite', () => {
  const env = {
    FILE_SYNC_CLIENT_ID: 'a',
    FILE_SYNC_CLIENT_SECRET: 'of a',
    FILE_SYNC_READER_CLIENT_ID: 'b',
    FILE_SYNC_READER_CLIENT_SECRET: 'of b',
  };
  const files = { file: 'd', fileNotEnabled: 'e', fileOfAnother: 'f' };
  const [client, reader] = ['a', 'b'].map((clientId) => ({ clientId, clientSecret: `of ${clientId}` }));
  const baseUrl = 'https://a.example';
  expect(givenTarget(`${baseUrl}/`, files, env)).toEqual({
    kind: 'given',
    baseUrl,
    fixtures: { client, reader, ...files },
  });
});
