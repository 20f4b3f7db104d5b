import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from 'cloud-assembly-emulator';
import { reasonOf, systemCode } from '../../operator/errors.ts';
import type { RunFile } from '../local-deployment.ts';
import { takeLock } from './lock.ts';

/** Paths of the state that the local run keeps between starts. */
interface StateDirectory {
  readonly path: string;
  /** Cloud assembly of this run. */
  readonly assembly: string;
  /** File that other commands read to find this run. */
  readonly runFile: string;
}

/** Marks a folder as a state folder. Other folders are not changed. */
const markerName = '.file-sync-state';

const lockName = 'lock.json';

const markerText = 'State of a local run of file-sync-api. Remove the whole folder to start over.\n';

/**
 * Opens the state folder exclusively for this process.
 *
 * @param fresh true to empty the folder first
 * @returns the folder, and a function that releases it
 * @throws {StartProblem} if another run uses the folder, it contains other files, or the system denies access
 */
export function openState(path: string, fresh?: boolean): { state: StateDirectory; release: () => void } {
  try {
    prepare(path);
    const release = takeLock(join(path, lockName));
    if (fresh) {
      empty(path);
    }
    const state = { path, assembly: join(path, 'cdk.out'), runFile: join(path, 'run.json') };
    // A killed run leaves its run file. Until this run is ready, no command must find the old file.
    rmSync(state.runFile, { force: true });
    for (const folder of ['logs', 'aws']) {
      mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
    }
    return { state, release };
  } catch (error) {
    throw systemCode(error) === undefined ? error : rejectedBySystem(path, error);
  }
}

/** Creates the folder, for its owner only: it contains secrets and private keys. */
function prepare(path: string): void {
  if (existsSync(path)) {
    rejectForeign(path);
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  writeFileSync(join(path, markerName), markerText);
}

/** Removes all files except the marker and the lock of this run. */
function empty(path: string): void {
  for (const name of readdirSync(path)) {
    if (name !== markerName && name !== lockName) {
      rmSync(join(path, name), { recursive: true });
    }
  }
}

function rejectForeign(path: string): void {
  const names = readdirSync(path);
  if (names.length > 0 && !names.includes(markerName)) {
    throw new StartProblem(
      `${path} holds other things than the state of a local run. Choose an empty or a new folder with --state.`,
    );
  }
}

function rejectedBySystem(path: string, error: unknown): StartProblem {
  return new StartProblem(
    `The state cannot be kept in ${path}: ${reasonOf(error)}. Choose another folder with --state.`,
    { cause: error },
  );
}

/** Writes `run.json` for its owner only, completely or not at all. @returns function that removes it */
export function writeRunFile(path: string, contents: RunFile): () => void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
  return () => rmSync(path, { force: true });
}
