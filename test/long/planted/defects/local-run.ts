import type { Subject } from '../defect.ts';

const state = ['test/local/start/state-directory.test.ts', 'test/local/start-problems.test.ts'];

/** The local run. */
export const localRun: Subject = {
  subject: 'local-run',
  defects: [
    {
      name: 'foreign-folder-used',
      promise: 'A folder that holds other things is left alone',
      file: 'local/start/state-directory.ts',
      find: 'names.length === 0 || names.includes(markerName)',
      replace: 'names.length >= 0',
      tests: state,
    },
    {
      name: 'state-readable-by-all',
      promise: 'The state folder is for its owner alone: it holds secrets and private keys',
      file: 'local/start/state-directory.ts',
      find: 'chmodSync(state.path, 0o700);',
      replace: 'chmodSync(state.path, 0o755);',
      tests: state,
    },
    {
      name: 'run-file-readable-by-all',
      promise: "The operator's credentials are for the owner alone",
      file: 'local/start/state-directory.ts',
      find: '{ mode: 0o600 }',
      replace: '{ mode: 0o644 }',
      tests: [...state, 'test/local/run.test.ts'],
    },
    {
      name: 'old-run-file-kept',
      promise: 'Nobody is led to a run that was killed',
      file: 'local/start/state-directory.ts',
      find: '  rmSync(state.runFile, { force: true });\n  makeFolder',
      replace: '  makeFolder',
      tests: state,
    },
    {
      name: 'lock-of-a-living-run-taken',
      promise: 'Two runs never use one state folder',
      file: 'local/start/lock.ts',
      find: '  if (holder && isAlive(holder)) {',
      replace: '  if (holder && isAlive(holder) && holder.pid < 0) {',
      tests: state,
    },
    {
      name: 'lock-of-a-dead-run-kept',
      promise: 'A run that was killed does not block the next one',
      file: 'local/start/lock.ts',
      find: 'lock.startTime === startTimeOf(lock.pid)',
      replace: "lock.startTime !== ''",
      tests: state,
    },
    {
      name: 'unknown-setting-taken',
      promise: 'A misspelled setting of the local run is an error',
      file: 'local/start/options.ts',
      find: '  if (!isSetting(key) && !isOfTheCdk(key)) {',
      replace: "  if (!isSetting(key) && key === '') {",
      tests: ['test/local/start/options.test.ts', 'test/local/start-problems.test.ts'],
    },
    {
      name: 'run-that-cannot-start-exits-with-0',
      promise: 'A run that cannot start says so with its exit code',
      file: 'local/main.ts',
      find: 'process.signal.aborted ? 0 : code',
      replace: 'code === 1 ? 0 : code',
      tests: ['test/local/start-problems.test.ts'],
    },
  ],
};
