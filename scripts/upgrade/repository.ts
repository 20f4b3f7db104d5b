import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckProblem } from './problem.ts';
import { lastLines, type Outcome, runProgram } from './run-program.ts';

/** The name that stands for the newest release tag. */
export const lastRelease = 'last-release';

/** What there is to compare with: a commit, or why there is none. */
export type OldVersion = { readonly ref: string; readonly commit: string } | { readonly none: string };

export interface Repository {
  /** @throws {CheckProblem} when the repository does not have the version */
  readonly resolve: (ref: string) => Promise<OldVersion>;
  /** Writes all files of a commit into a folder. */
  readonly extract: (commit: string, folder: string) => Promise<void>;
}

/** As git tags a release: v1.2.3, or v1.2.3-rc.1. */
const releaseTag = /^v\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Sorts v1.0.0-rc.1 before v1.0.0. */
const candidatesFirst = ['-c', 'versionsort.suffix=-'];

/** How long the server of the tags may take. */
const remoteTimeoutMilliseconds = 30_000;

/** The git repository of a folder. */
export function openRepository(root: string, signal: AbortSignal): Repository {
  const git: Git = (parameters, env = {}) =>
    // A server that wants a password must not wait for a person.
    runProgram('git', parameters, {
      cwd: root,
      env: { GIT_TERMINAL_PROMPT: '0', ...env },
      signal,
      timeoutMilliseconds: remoteTimeoutMilliseconds,
    });
  return {
    resolve: (ref) => (ref === lastRelease ? resolveRelease(git) : resolveRef(git, ref)),
    extract: async (commit, folder) => {
      await mkdir(folder, { recursive: true });
      // An index of its own leaves that of the checkout as it is.
      const env = { GIT_INDEX_FILE: join(folder, '..', 'index') };
      for (const parameters of [
        ['read-tree', commit],
        ['checkout-index', '--all', `--prefix=${folder}/`],
      ]) {
        const outcome = await git(parameters, env);
        if (outcome.code !== 0) {
          throw new CheckProblem(`git cannot write the files of ${commit}:\n${lastLines(outcome)}`);
        }
      }
    },
  };
}

type Git = (parameters: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Outcome>;

async function resolveRef(git: Git, ref: string): Promise<OldVersion> {
  const { code, stdout, stderr } = await git([
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${ref}^{commit}`,
  ]).catch(noGit);
  if (code !== 0) {
    throw new CheckProblem(
      `There is no version ${ref} in this repository (${stderr.trim()}). Name a tag, a branch or a commit; \`git fetch --tags\` gets the tags.`,
    );
  }
  return { ref, commit: stdout.trim() };
}

function noGit(error: unknown): never {
  throw new CheckProblem(`git cannot be run (${String(error)}). Install it, and run the check in a clone.`);
}

/**
 * The newest release before this commit. Where there is no tag, the clone may just lack them, so that the server is
 * asked: a check that passes for want of a tag would not be one.
 */
async function resolveRelease(git: Git): Promise<OldVersion> {
  const known = await newestTag(git);
  if (known !== undefined) {
    return resolveRef(git, `refs/tags/${known}`).then((found) => ({ ...found, ref: known }));
  }
  const remote = await git(['remote']).catch(() => undefined);
  if (remote === undefined || remote.code !== 0) {
    return { none: 'this folder is no git repository, or git is not installed, so that no release is known' };
  }
  const [name] = remote.stdout.split('\n').filter(Boolean);
  return name === undefined ? { none: 'no release has been tagged yet' } : releaseOnServer(git, name);
}

async function newestTag(git: Git): Promise<string | undefined> {
  const order = [...candidatesFirst, 'tag', '--list', 'v*', '--sort=-v:refname'];
  const [all, ofThisCommit] = await Promise.all([
    tagsOf(git, order),
    tagsOf(git, ['tag', '--points-at', 'HEAD']),
  ]);
  // The release that this commit is does not count: it is compared with the one before.
  return all.find((tag) => !ofThisCommit.includes(tag));
}

async function tagsOf(git: Git, parameters: readonly string[]): Promise<readonly string[]> {
  const outcome = await git(parameters).catch(() => undefined);
  const lines = outcome?.code === 0 ? outcome.stdout.split('\n') : [];
  return lines.filter((tag) => releaseTag.test(tag));
}

/** Gets the newest release tag that the server has and this clone does not, as in CI, where clones are shallow. */
async function releaseOnServer(git: Git, remote: string): Promise<OldVersion> {
  const list = await git([...candidatesFirst, 'ls-remote', '--tags', '--sort=-v:refname', remote, 'v*']);
  if (list.code !== 0) {
    return {
      none: `this clone has no release tag, and ${remote} cannot be asked for one. Run \`git fetch --tags ${remote}\` first`,
    };
  }
  const head = (await git(['rev-parse', 'HEAD'])).stdout.trim();
  const tag = newestOf(list.stdout, head);
  if (tag === undefined) {
    return { none: 'no release has been tagged yet' };
  }
  const shallow = (await git(['rev-parse', '--is-shallow-repository'])).stdout.trim() === 'true';
  // In a complete clone, a depth would cut off the history.
  const depth = shallow ? ['--depth=1'] : [];
  const fetched = await git(['fetch', '--quiet', ...depth, '--no-tags', remote, `refs/tags/${tag}`]);
  if (fetched.code !== 0) {
    throw new CheckProblem(`${remote} does not give its tag ${tag}:\n${lastLines(fetched)}`);
  }
  return resolveRef(git, 'FETCH_HEAD').then((found) => ({ ...found, ref: tag }));
}

/** @param list what `git ls-remote` writes: an annotated tag has a second line, with the commit and `^{}` */
function newestOf(list: string, head: string): string | undefined {
  const tags = list.split('\n').map((line) => {
    const [commit, name = ''] = line.split('\t');
    return { commit, tag: name.replace('refs/tags/', '').replace('^{}', '') };
  });
  const ofThisCommit = new Set(tags.filter(({ commit }) => commit === head).map(({ tag }) => tag));
  return tags.find(({ tag }) => releaseTag.test(tag) && !ofThisCommit.has(tag))?.tag;
}
