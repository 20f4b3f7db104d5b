import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isAssemblyCurrent,
  recordAssembly,
  recordPath,
  type SynthesisParameters,
} from '../../../../local/start/reuse/assembly-record.ts';

let folder: string;
let parameters: SynthesisParameters;

const at = (path: string) => join(folder, path);

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

/** What the app read, besides what is in the folders of sources. */
const read = ['node_modules/pkg/lib/index.js', 'contract/routes.ts'];

function record(startedAt = Date.now() + 10_000, bundles = 1): void {
  recordAssembly(parameters, { files: read.map(at), bundles }, startedAt);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-sync-reuse-'));
  write('package.json', '{}');
  write('package-lock.json', '{}');
  write('cdk.json', '{}');
  write('node_modules/.package-lock.json', '{}');
  write('node_modules/pkg/package.json', '{"version":"1.0.0"}');
  write('node_modules/pkg/lib/index.js', 'export {};');
  write('lib/stack.ts', 'export const stack = 1;');
  write('lambdas/token/handler.ts', 'export const handler = 1;');
  write('contract/routes.ts', 'export const routes = [];');
  write('state/cdk.out/manifest.json', '{}');
  write('state/cdk.out/asset.1/index.mjs', 'export {};');
  parameters = {
    projectRoot: folder,
    outputDirectory: at('state/cdk.out'),
    command: ['app.ts'],
    environment: { CDK_CONTEXT_JSON: '{"baseUrl":"http://127.0.0.1:3000","stage":"dev"}', HOME: '/home/me' },
  };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is current as long as nothing changes', () => {
  expect(isAssemblyCurrent(parameters)).toBe(false);
  record();
  expect(isAssemblyCurrent(parameters)).toBe(true);
  expect(isAssemblyCurrent(parameters)).toBe(true);
});

it.each<[string, () => void]>([
  ['a source of a function', () => write('lambdas/token/handler.ts', 'export const handler = 2;')],
  ['a source of a function, to one of the same size and time', sameSizeAndTime],
  ['a source of the stack', () => write('lib/stack.ts', 'export const stack = 2;')],
  [
    'a source that more than one folder uses',
    () => write('contract/routes.ts', 'export const routes = [1];'),
  ],
  ['a new source', () => write('lib/stack/index.ts', '')],
  ['a source that is gone', () => rmSync(at('lib/stack.ts'))],
  ['a file of a package', () => write('node_modules/pkg/lib/index.js', 'export const changed = 1;')],
  ['a file of a package that is gone', () => rmSync(at('node_modules/pkg/lib/index.js'))],
  ['the version of a package', () => write('node_modules/pkg/package.json', '{"version":"1.0.1"}')],
  ['a package.json between', () => write('node_modules/pkg/lib/package.json', '{"type":"commonjs"}')],
  ['the installed packages', () => write('node_modules/.package-lock.json', '{"packages":{}}')],
  ['the lock file', () => write('package-lock.json', '{"packages":{}}')],
  ['the settings of the CDK', () => write('cdk.json', '{"context":{}}')],
  ['the settings of TypeScript, which were not there', () => write('tsconfig.json', '{}')],
])('is not current after a change of %s', (_, change) => {
  record();
  change();
  expect(isAssemblyCurrent(parameters)).toBe(false);
});

function sameSizeAndTime(): void {
  const time = new Date('2026-01-01T00:00:00Z');
  utimesSync(at('lambdas/token/handler.ts'), time, time);
  record();
  write('lambdas/token/handler.ts', 'export const handler = 9;');
  utimesSync(at('lambdas/token/handler.ts'), time, time);
}

it('is current after a source was written again with the same content', () => {
  record();
  write('lib/stack.ts', 'export const stack = 1;');
  utimesSync(at('lambdas/token/handler.ts'), new Date(0), new Date(0));
  expect(isAssemblyCurrent(parameters)).toBe(true);
});

it.each<[string, Partial<SynthesisParameters>]>([
  ['the port', { environment: { CDK_CONTEXT_JSON: '{"baseUrl":"http://127.0.0.1:3001","stage":"dev"}' } }],
  ['a setting', { environment: { CDK_CONTEXT_JSON: '{"baseUrl":"http://127.0.0.1:3000","stage":"prod"}' } }],
  ['a variable', { environment: { FILE_SYNC_DEBUG_BUNDLES: '1' } }],
  ['the command line', { command: ['other.ts'] }],
])('is not current with another value of %s', (_, { environment = {}, ...others }) => {
  record();
  const changed = { ...parameters, ...others, environment: { ...parameters.environment, ...environment } };
  expect(isAssemblyCurrent(changed)).toBe(false);
  expect(isAssemblyCurrent(parameters)).toBe(true);
});

it('is not current without a variable that there was', () => {
  record();
  const { HOME: _, ...environment } = parameters.environment;
  expect(isAssemblyCurrent({ ...parameters, environment })).toBe(false);
});

it('is not current when node_modules leads to other packages', () => {
  cpSync(at('node_modules'), at('others'), { recursive: true, preserveTimestamps: true });
  cpSync(at('node_modules'), at('packages'), { recursive: true, preserveTimestamps: true });
  rmSync(at('node_modules'), { recursive: true });
  symlinkSync(at('packages'), at('node_modules'));
  recordAssembly(parameters, { files: [at('packages/pkg/lib/index.js')], bundles: 1 }, Date.now() + 10_000);
  expect(isAssemblyCurrent(parameters)).toBe(true);
  rmSync(at('node_modules'));
  symlinkSync(at('others'), at('node_modules'));
  expect(isAssemblyCurrent(parameters)).toBe(false);
});

describe('an assembly that is not whole', () => {
  it.each<[string, () => void]>([
    ['lacks a file', () => rmSync(at('state/cdk.out/asset.1/index.mjs'))],
    ['lacks everything', () => rmSync(at('state/cdk.out'), { recursive: true })],
    ['has a damaged file', () => write('state/cdk.out/manifest.json', '{')],
    ['has a file that is none of its own', () => write('state/cdk.out/asset.1/other.mjs', '')],
  ])('is not current when it %s', (_, change) => {
    record();
    change();
    expect(isAssemblyCurrent(parameters)).toBe(false);
  });
});

describe('a record', () => {
  it.each(['', '{', '[]', '{"parameters":1}', '{"inputs":[],"outputs":[]}'])(
    'that is damaged counts as none: %s',
    (text) => {
      record();
      writeFileSync(recordPath(parameters.outputDirectory), text);
      expect(isAssemblyCurrent(parameters)).toBe(false);
    },
  );

  it('is not made when a file changed during the synthesis, or just before', () => {
    record(Date.now());
    expect(isAssemblyCurrent(parameters)).toBe(false);
  });

  it('is not made when a bundle does not say what it is made of', () => {
    record(undefined, 0);
    expect(isAssemblyCurrent(parameters)).toBe(false);
  });

  it('holds no value of a variable: one may be a secret', () => {
    parameters = {
      ...parameters,
      environment: { ...parameters.environment, AWS_SECRET_ACCESS_KEY: 'not for files' },
    };
    record();
    expect(readFileSync(recordPath(parameters.outputDirectory), 'utf8')).not.toContain('not for files');
    expect(statSync(recordPath(parameters.outputDirectory)).mode & 0o777).toBe(0o600);
  });
});
