import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { environmentNames } from '../../../lambdas/shared/environment.ts';
import { runProcess } from '../../support/run-process.ts';
import { everySetting } from '../../support/synthesized.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

const run = (command: readonly string[], environment: Readonly<Record<string, string>>) =>
  runProcess(process.execPath, command, { cwd: projectRoot, env: { ...process.env, ...environment } });

/** The app as the CDK's command line runs it. */
function synthesize(outputFolder: string, context: Readonly<Record<string, unknown>>) {
  return run(['--import', 'tsx', 'bin/app.ts'], {
    CDK_OUTDIR: outputFolder,
    CDK_CONTEXT_JSON: JSON.stringify(context),
  });
}

/** Enough for every function to start. The port is closed, and nothing is fetched before the first request. */
const variables = {
  // The SDK warns of a Node.js that it will leave behind.
  NODE_NO_WARNINGS: '1',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
  ...Object.fromEntries(Object.values(environmentNames).map((name) => [name, '3600'])),
  BASE_URL: 'https://files.example.com',
  SIGNING_ALGORITHM: 'ES256',
};

const folder = await temporaryFolder();

test('a wrong setting stops the app with one sentence and no stack trace', async () => {
  const outcome = await synthesize(join(folder, 'wrong'), { tokenLifetimeSeconds: '1h' });
  expect(outcome).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'The value "1h" of tokenLifetimeSeconds is not allowed: it must be a whole number from 60 to 86400.\n',
  });
  const written = await readdir(join(folder, 'wrong')).catch(() => []);
  expect(written.filter((file) => file.endsWith('.json'))).toEqual([]);
});

const output = join(folder, 'bundled');
const synthesized = await synthesize(output, everySetting);
expect(synthesized.code, synthesized.stderr).toBe(0);
const bundles = await bundlesIn(output, 'file-sync-dev');

test('each of the seven functions has a bundle of its own', () => {
  expect(new Set(bundles.map((bundle) => bundle.folder)).size).toBe(7);
});

describe.for(bundles)('the bundle of $id', async (bundle) => {
  const code = await readFile(join(bundle.folder, 'index.mjs'), 'utf8');

  test('is one ES module', async () => {
    expect(await readdir(bundle.folder)).toEqual(['index.mjs']);
  });

  test('loads alone and exports the handler', async () => {
    expect(await run(loading(bundle.folder), variables)).toEqual({ code: 0, stdout: 'function', stderr: '' });
  });

  test('lacks the credential chain of the SDK', () => {
    expect(code).not.toMatch(/AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url/);
  });

  test('imports nothing, and uses no member of a global that was taken out', () => {
    expect(code.includes('require("node:https")')).toBe(true);
    const found = code.match(/^import\b.*|[;}]import\b.{50}|\bimport\(.{50}|\(void 0\)[.[].{50}/gm);
    expect(found ?? []).toEqual([]);
  });
});

/** Loads a bundle from outside the project, where no package can be found. */
function loading(bundle: string): readonly string[] {
  const script = `const { handler } = await import(${JSON.stringify(join(bundle, 'index.mjs'))});
    process.stdout.write(typeof handler, () => process.exit(0));`;
  return ['--input-type=module', '--eval', script];
}

interface FunctionResource {
  readonly Type: string;
  readonly Properties: { readonly Handler?: string; readonly Code?: { readonly S3Key?: string } };
}

async function bundlesIn(output: string, stackName: string) {
  const template: { readonly Resources: Readonly<Record<string, FunctionResource>> } = JSON.parse(
    await readFile(join(output, `${stackName}.template.json`), 'utf8'),
  );
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    const asset = Properties?.Code?.S3Key?.replace(/\.zip$/, '');
    const isOurs = Type === 'AWS::Lambda::Function' && !id.startsWith('Custom');
    return isOurs && asset !== undefined ? [{ id, folder: join(output, `asset.${asset}`) }] : [];
  });
}
