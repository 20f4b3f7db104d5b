import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { provideDependencies } from '../../../scripts/upgrade/dependencies.ts';
import { CheckProblem } from '../../../scripts/upgrade/problem.ts';

let root: string;
let folder: string;
let lines: string[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-sync-dependencies-'));
  folder = join(root, 'old');
  lines = [];
  await mkdir(folder);
  await lock(root, '1.0.0');
});
afterEach(() => rm(root, { recursive: true }));

/** A project without packages, so that npm needs no network. */
async function lock(place: string, version: string): Promise<void> {
  const manifest = { name: 'a', version };
  await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
  const text = { ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest } };
  await writeFile(join(place, 'package-lock.json'), JSON.stringify(text));
}

const provide = () =>
  provideDependencies({
    root,
    folder,
    version: 'v0.9.0',
    progress: (line) => lines.push(line),
    signal: new AbortController().signal,
  });

describe('the packages of the old version', () => {
  test('are those of the checkout where both have the same lock file', async () => {
    await lock(folder, '1.0.0');
    await provide();
    expect(await readlink(join(folder, 'node_modules'))).toBe(join(root, 'node_modules'));
    expect(lines).toEqual([]);
  });

  test('are installed where it has another, and that is said', async () => {
    await lock(folder, '0.9.0');
    await provide();
    expect(lines).toEqual([
      'Installing the packages of v0.9.0 with npm ci, because its package-lock.json is another one',
    ]);
    await expect(readlink(join(folder, 'node_modules'))).rejects.toThrow('ENOENT');
  });

  test('that cannot be installed are a problem, and no finding', async () => {
    await lock(folder, '0.9.0');
    await rm(join(folder, 'package-lock.json'));
    await expect(provide()).rejects.toThrow(CheckProblem);
    await expect(provide()).rejects.toThrow('The packages of v0.9.0 cannot be installed');
  });
});
