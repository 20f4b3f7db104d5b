import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { beforeEach, expect, it } from 'vitest';
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

it('notices a change of a source, of the packages or of a setting, and no other', () => {
  const context = { stage: 'dev' };
  const before = digestInputs(folder, context);
  const changes: Readonly<Record<string, () => void>> = {
    'a longer source': () => write('lambdas/token/handler.ts', '{ }'),
    'a source of another time': () => utimesSync(join(folder, 'lib/stack.ts'), 0, 0),
    'a new source': () => write('lambdas/token/other.ts', ''),
    'a source that is gone': () => rmSync(join(folder, 'lambdas/token/other.ts')),
    'another package': () => write('package-lock.json', '{"packages":{}}'),
    'the settings of TypeScript': () => write('tsconfig.json', '{}'),
  };
  const unnoticed = Object.entries(changes).flatMap(([name, change]) => {
    const earlier = digestInputs(folder, context);
    change();
    return digestInputs(folder, context) === earlier ? [name] : [];
  });
  expect(unnoticed).toEqual([]);
  const now = digestInputs(folder, context);
  expect(now).not.toBe(before);
  expect(digestInputs(folder, { stage: 'prod' })).not.toBe(now);
  write('docs/api.md', 'other');
  expect(digestInputs(folder, context)).toBe(now);
});

it('forgets what was synthesized together with the cloud assembly', () => {
  const assembly = join(folder, 'cdk.out');
  mkdirSync(assembly);
  expect(isSynthesizedFrom(assembly, 'digest')).toBe(false);
  recordInputs(assembly, 'digest');
  expect(isSynthesizedFrom(assembly, 'digest')).toBe(true);
  expect(isSynthesizedFrom(assembly, 'other')).toBe(false);
  rmSync(assembly, { recursive: true });
  expect(isSynthesizedFrom(assembly, 'digest')).toBe(false);
});
