import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { recordPath } from '../../../local/start/reuse/assembly-record.ts';
import { appVariable, planSynthesis, type SynthesizeOptions } from '../../../local/start/synthesize.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

let folder: string;
let options: SynthesizeOptions;

beforeAll(async () => {
  // The tests' own app says nothing of what it reads.
  vi.stubEnv(appVariable, undefined);
  folder = await mkdtemp(join(tmpdir(), 'file-sync-synthesis-'));
  options = {
    outputDirectory: join(folder, 'cdk.out'),
    context: { stage: 'dev', baseUrl: 'http://127.0.0.1:3000' },
    signal: new AbortController().signal,
  };
  expect(planSynthesis(options).isDone()).toBe(false);
  await planSynthesis(options).run();
}, 120_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it('is done until something changes', () => {
  expect(planSynthesis(options).isDone()).toBe(true);
  const withContext = (context: Record<string, string>) =>
    planSynthesis({ ...options, context: { ...options.context, ...context } }).isDone();
  expect(withContext({ baseUrl: 'http://127.0.0.1:3001' })).toBe(false);
  expect(withContext({ tokenLifetimeSeconds: '60' })).toBe(false);
  vi.stubEnv('FILE_SYNC_DEBUG_BUNDLES', '1');
  expect(planSynthesis(options).isDone()).toBe(false);
  vi.stubEnv('FILE_SYNC_DEBUG_BUNDLES', undefined);
  vi.stubEnv('SHLVL', '7');
  expect(planSynthesis(options).isDone()).toBe(true);
});

it('knows the files that Node.js, the CDK and the bundler read', async () => {
  const record = JSON.parse(await readFile(recordPath(options.outputDirectory), 'utf8'));
  const paths = record.inputs.map(({ path }: { path: string }) => path);
  expect(paths.map((path: string) => relative(projectRoot, path))).toEqual(
    expect.arrayContaining([
      'bin/app.ts',
      'cdk.json',
      'contract/limits.ts',
      'lambdas/token/handler.ts',
      'lib/bundle/left-out.ts',
      'lib/file-sync-stack.ts',
      'package-lock.json',
      'storage/client.ts',
    ]),
  );
  // Of the app, of the CDK's own dependencies, and of the bundles.
  for (const name of ['aws-cdk-lib', 'constructs', 'semver', '@aws-sdk/client-dynamodb', 'jose']) {
    expect(paths).toContainEqual(expect.stringMatching(new RegExp(`/node_modules/${name}/package\\.json$`)));
    expect(paths).toContainEqual(expect.stringMatching(new RegExp(`/node_modules/${name}/.*\\.m?js$`)));
  }
});

it('is never taken for done with another app', () => {
  vi.stubEnv(appVariable, 'other-app.mjs');
  expect(planSynthesis(options).isDone()).toBe(false);
  vi.stubEnv(appVariable, undefined);
});
