import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckProblem } from './problem.ts';
import { lastLines, runProgram } from './run-program.ts';

export interface DependencyOptions {
  /** The checkout, whose packages are installed. */
  readonly root: string;
  /** The old version, which has none. */
  readonly folder: string;
  readonly version: string;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Gives the old version its packages: those of the checkout where the lock files are the same, else its own. */
export async function provideDependencies(options: DependencyOptions): Promise<void> {
  const { root, folder, version, progress, signal } = options;
  const [ours, theirs] = await Promise.all([root, folder].map((place) => lockOf(place)));
  if (ours === theirs) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
    return;
  }
  progress(`Installing the packages of ${version} with npm ci, because its package-lock.json is another one`);
  const parameters = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const outcome = await runProgram('npm', parameters, { cwd: folder, signal });
  if (outcome.code !== 0) {
    throw new CheckProblem(
      `The packages of ${version} cannot be installed, so that it cannot be synthesized. npm needs the network for that.\n${lastLines(outcome)}`,
    );
  }
}

async function lockOf(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => undefined);
}
