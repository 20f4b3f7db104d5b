import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckProblem } from '../../../scripts/upgrade/problem.ts';
import { lastRelease, openRepository } from '../../../scripts/upgrade/repository.ts';
import { git } from './git.ts';

let folder: string;
let origin: string;
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-repository-'));
  origin = join(folder, 'origin');
  await git(folder, 'init', '-q', origin);
  await commit('first');
});
afterEach(() => rm(folder, { recursive: true }));

/** Changes the file of the repository, and tags the commit. @returns its id */
async function commit(text: string, ...tags: readonly string[]): Promise<string> {
  await writeFile(join(origin, 'file.txt'), text);
  await git(origin, 'add', '-A');
  await git(origin, 'commit', '-q', '-m', text);
  for (const tag of tags) {
    await git(origin, 'tag', '-a', '-m', tag, tag);
  }
  return git(origin, 'rev-parse', 'HEAD');
}

const resolve = (ref: string, root = origin) => openRepository(root, signal).resolve(ref);

describe('a version', () => {
  test('is a tag, a branch or a commit', async () => {
    const id = await commit('second', 'v1.0.0');
    for (const ref of ['v1.0.0', 'main', id, 'HEAD']) {
      expect(await resolve(ref)).toEqual({ ref, commit: id });
    }
  });

  test.each(['none', '--all', '', 'v9.9.9'])('that is not there is named: %j', async (ref) => {
    await expect(resolve(ref)).rejects.toThrow(CheckProblem);
    await expect(resolve(ref)).rejects.toThrow(`There is no version ${ref} in this repository`);
  });

  test('is written as it was, and leaves the checkout and its index alone', async () => {
    const id = await commit('second');
    await writeFile(join(origin, 'file.txt'), 'not committed');
    await writeFile(join(origin, 'new.txt'), 'staged');
    await git(origin, 'add', 'new.txt');
    const before = await git(origin, 'status', '--porcelain');
    const target = join(folder, 'target', 'old');
    await openRepository(origin, signal).extract(id, target);
    expect(await readFile(join(target, 'file.txt'), 'utf8')).toBe('second');
    expect(await readdir(target)).toEqual(['file.txt']);
    expect(await git(origin, 'status', '--porcelain')).toBe(before);
    expect(before).toBe('M file.txt\nA  new.txt');
  });
});

describe('the last release', () => {
  test('is the newest tag of a release before this commit', async () => {
    const nine = await commit('nine', 'v0.9.0');
    const ten = await commit('ten', 'v0.10.0', 'vanilla', 'later-v1.0.0');
    await commit('after');
    expect(await resolve(lastRelease)).toEqual({ ref: 'v0.10.0', commit: ten });
    await git(origin, 'checkout', '-q', 'v0.10.0');
    expect(await resolve(lastRelease)).toEqual({ ref: 'v0.9.0', commit: nine });
  });

  test('follows its own release candidates', async () => {
    await commit('candidate', 'v1.0.0-rc.1');
    const final = await commit('final', 'v1.0.0');
    await commit('after');
    expect(await resolve(lastRelease)).toEqual({ ref: 'v1.0.0', commit: final });
  });

  test('does not exist yet where nothing is tagged, nor where there is no repository', async () => {
    expect(await resolve(lastRelease)).toEqual({ none: 'no release has been tagged yet' });
    const none = await mkdtemp(join(folder, 'none-'));
    expect(await resolve(lastRelease, none)).toEqual({
      none: expect.stringContaining('is no git repository'),
    });
  });

  /** A clone as CI makes it: of one commit, without tags. */
  async function shallowClone(): Promise<string> {
    const clone = join(folder, 'clone');
    await git(folder, 'clone', '-q', '--depth=1', '--no-tags', `file://${origin}`, clone);
    expect(await git(clone, 'tag')).toBe('');
    return clone;
  }

  test('is got from the server where a shallow clone lacks it', async () => {
    const id = await commit('released', 'v1.2.3');
    await commit('after');
    const clone = await shallowClone();
    expect(await resolve(lastRelease, clone)).toEqual({ ref: 'v1.2.3', commit: id });
    await openRepository(clone, signal).extract(id, join(folder, 'target', 'old'));
    expect(await readFile(join(folder, 'target', 'old', 'file.txt'), 'utf8')).toBe('released');
  });

  test('on the server is not the one that this commit is, and follows its release candidates', async () => {
    await commit('candidate', 'v1.2.3-rc.1');
    const id = await commit('released', 'v1.2.3');
    await commit('this', 'v1.3.0');
    expect(await resolve(lastRelease, await shallowClone())).toEqual({ ref: 'v1.2.3', commit: id });
  });

  test('leaves the history of a complete clone as it is', async () => {
    const id = await commit('released', 'v1.2.3');
    await commit('after');
    const clone = join(folder, 'clone');
    await git(folder, 'clone', '-q', '--no-tags', `file://${origin}`, clone);
    expect(await resolve(lastRelease, clone)).toEqual({ ref: 'v1.2.3', commit: id });
    expect(await git(clone, 'rev-list', '--count', 'HEAD')).toBe('3');
  });

  test('does not exist where the server of a shallow clone has none', async () => {
    await commit('after');
    expect(await resolve(lastRelease, await shallowClone())).toEqual({
      none: 'no release has been tagged yet',
    });
  });

  test('is not known, and that is said, where the server cannot be asked', async () => {
    await commit('released', 'v1.2.3');
    await commit('after');
    const clone = await shallowClone();
    await rm(origin, { recursive: true });
    expect(await resolve(lastRelease, clone)).toEqual({
      none: expect.stringContaining('origin cannot be asked for one. Run `git fetch --tags origin` first'),
    });
  });
});
