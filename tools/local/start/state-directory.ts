import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from 'cloud-assembly-emulator';
import { reasonOf, systemCode } from '../../operator/errors.ts';
import { takeLock } from './lock.ts';

/** What the local run keeps between starts, and where. */
export interface StateDirectory {
  readonly path: string;
  /** Cloud assembly of this run. */
  readonly assembly: string;
  /** Where other commands find this run. */
  readonly runFile: string;
}

/** A folder with this file in it is a state folder. Any other folder is left alone. */
const markerName = '.file-sync-state';

const lockName = 'lock.json';

const markerText = 'State of a local run of file-sync-api. Remove the whole folder to start over.\n';

/**
 * Opens the state folder for this process alone.
 *
 * @param fresh empties it first
 * @returns the folder, and a function that releases it
 * @throws {StartProblem} when another run uses the folder, when it holds something else, or when the system rejects it
 */
export function openState(path: string, fresh?: boolean): { state: StateDirectory; release: () => void } {
  try {
    prepare(path);
    const release = takeLock(join(path, lockName));
    if (fresh) {
      empty(path);
    }
    const state = { path, assembly: join(path, 'cdk.out'), runFile: join(path, 'run.json') };
    // A killed run leaves its run file behind. The old file must not lead anyone here before this run serves.
    rmSync(state.runFile, { force: true });
    for (const folder of ['logs', 'aws']) {
      mkdirSync(join(path, folder), { recursive: true, mode: 0o700 });
    }
    return { state, release };
  } catch (error) {
    throw systemCode(error) === undefined ? error : rejectedBySystem(path, error);
  }
}

/** Makes the folder, for its owner only: it holds secrets and private keys. */
function prepare(path: string): void {
  if (existsSync(path)) {
    rejectForeign(path);
  }
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  writeFileSync(join(path, markerName), markerText);
}

/** Removes everything but the marker and the lock that this run holds. */
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

/** How other commands find the local run: the contents of `run.json` in its state folder. */
export interface RunFile {
  readonly pid: number;
  readonly baseUrl: string;
  readonly awsEndpoint: string;
  readonly region: string;
  /** Credentials of the operator. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly stackName: string;
  /** Outputs of the stack. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Writes the file for its owner only, completely or not at all. @returns a function that removes it */
export function writeRunFile(path: string, contents: RunFile): () => void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
  return () => rmSync(path, { force: true });
}
