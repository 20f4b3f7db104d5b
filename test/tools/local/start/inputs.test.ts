import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { digestInputs, isSynthesizedFrom, recordInputs } from '../../../../tools/local/start/inputs.ts';

let folder: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeEach(async () => {
  folder = await temporaryFolder();
  for (const file of ['lib/stack.ts', 'lambdas/token/handler.ts', 'package-lock.json', 'docs/api.md']) {
    write(file, '{}');
  }
});

const digest = (stage = 'dev') => digestInputs(folder, { stage });

test.for<[string, () => void]>([
  ['a longer source', () => write('lambdas/token/handler.ts', '{ }')],
  ['a source of another time', () => utimesSync(join(folder, 'lib/stack.ts'), 0, 0)],
  ['a new source', () => write('lambdas/token/other.ts', '')],
  ['another package', () => write('package-lock.json', '{"packages":{}}')],
  ['the settings of TypeScript', () => write('tsconfig.json', '{}')],
  ['the settings of the CDK', () => write('cdk.json', '{}')],
  ...['bin', 'contract', 'storage'].map((name): [string, () => void] => [
    `a source in ${name}`,
    () => write(`${name}/other.ts`, ''),
  ]),
])('notices %s', ([, change]) => {
  const before = digest();
  change();
  expect(digest()).not.toBe(before);
});

test('notices another setting', () => {
  expect(digest('prod')).not.toBe(digest());
});

test('notices bundles for a debugger', () => {
  const before = digest();
  vi.stubEnv('FILE_SYNC_DEBUG_BUNDLES', 'true');
  expect(digest()).not.toBe(before);
});

test.for<[string, () => void]>([
  ['another file', () => write('docs/api.md', 'other')],
  ['an empty folder', () => void mkdirSync(join(folder, 'lib/empty'))],
])('notices nothing of %s', ([, change]) => {
  const before = digest();
  change();
  expect(digest()).toBe(before);
});

test('removes its record with the cloud assembly', () => {
  const assembly = join(folder, 'cdk.out');
  mkdirSync(assembly);
  expect(isSynthesizedFrom(assembly, 'digest')).toBe(false);
  recordInputs(assembly, 'digest');
  expect(isSynthesizedFrom(assembly, 'digest')).toBe(true);
  expect(isSynthesizedFrom(assembly, 'other')).toBe(false);
  rmSync(assembly, { recursive: true });
  expect(isSynthesizedFrom(assembly, 'digest')).toBe(false);
});
