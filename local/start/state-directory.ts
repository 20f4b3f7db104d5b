import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf, systemCode } from '../../cli/errors.ts';
import { StartProblem } from '../../emulator/shared/errors.ts';
import { takeLock } from './lock.ts';
import { makeFolder } from './make-folder.ts';

/** What the local run keeps between starts, and where. */
export interface StateDirectory {
  readonly path: string;
  /** Cloud assembly of this run. */
  readonly assembly: string;
  /** Logs of the functions, the API and the AWS endpoints: the emulator writes them. */
  readonly logs: string;
  /** Tables, objects, secrets: the emulator keeps them. */
  readonly aws: string;
  /** Where other commands find this run. */
  readonly runFile: string;
  readonly lock: string;
}

/** A folder with this file in it is a state folder. Any other folder is left alone. */
const markerName = '.file-sync-state';

const markerText = 'State of a local run of file-sync-api. Remove the whole folder to start over.\n';

/**
 * Opens the state folder for this process alone.
 *
 * @param fresh empties it first
 * @returns the folder, and what releases it
 * @throws {StartProblem} when another run uses it, when something else is kept there, or when the system refuses it
 */
export function openState(path: string, fresh: boolean): { state: StateDirectory; release: () => void } {
  const state = partsOf(path);
  try {
    return { state, release: open(state, fresh) };
  } catch (error) {
    throw systemCode(error) === undefined ? error : refusedBySystem(path, error);
  }
}

/** @returns releases the folder */
function open(state: StateDirectory, fresh: boolean): () => void {
  prepare(state);
  const release = takeLock(state.lock);
  if (fresh) {
    empty(state);
  }
  // A run that was killed left it behind. It must not lead anyone here before this run serves.
  rmSync(state.runFile, { force: true });
  makeFolder(state.logs);
  makeFolder(state.aws);
  return release;
}

function partsOf(path: string): StateDirectory {
  return {
    path,
    assembly: join(path, 'cdk.out'),
    logs: join(path, 'logs'),
    aws: join(path, 'aws'),
    runFile: join(path, 'run.json'),
    lock: join(path, 'lock.json'),
  };
}

/** Makes the folder, for its owner alone: it holds secrets and private keys. */
function prepare(state: StateDirectory): void {
  if (existsSync(state.path)) {
    refuseForeign(state.path);
  }
  makeFolder(state.path);
  chmodSync(state.path, 0o700);
  writeFileSync(join(state.path, markerName), markerText);
}

/** Removes everything but the marker and the lock that this run holds. */
function empty(state: StateDirectory): void {
  const kept = new Set([markerName, 'lock.json']);
  for (const name of readdirSync(state.path)) {
    if (!kept.has(name)) {
      rmSync(join(state.path, name), { recursive: true, force: true });
    }
  }
}

function refuseForeign(path: string): void {
  if (!statSync(path).isDirectory()) {
    throw new StartProblem(`${path} is a file. Choose a folder with --state.`);
  }
  const names = readdirSync(path);
  if (names.length === 0 || names.includes(markerName)) {
    return;
  }
  throw new StartProblem(
    `${path} holds other things than the state of a local run. Choose an empty or a new folder with --state.`,
  );
}

/** What errors of the system mean when a folder is made. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no folder can be made there',
  EEXIST: 'something that is not a folder is in its way',
  ENAMETOOLONG: 'its name is too long',
};

function refusedBySystem(path: string, error: unknown): StartProblem {
  const code = systemCode(error) ?? '';
  const reason = reasons[code] === undefined ? reasonOf(error) : `${reasons[code]} (${code})`;
  return new StartProblem(
    `The state cannot be kept in ${path}: ${reason}. Choose another folder with --state.`,
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

/** Writes the file for its owner alone, completely or not at all. @returns removes it */
export function writeRunFile(path: string, contents: RunFile): () => void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
  return () => rmSync(path, { force: true });
}
