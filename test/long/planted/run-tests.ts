import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { firstLine, type TestReport } from './outcome.ts';

export type TestRun =
  | { readonly ended: true; readonly report: TestReport }
  | { readonly ended: false; readonly why: string };

export interface TestRunOptions {
  /** Stops after this many failed tests; 0 runs all. */
  readonly bail: number;
  readonly withinMilliseconds: number;
  /** Ends the run, with every process that it started. */
  readonly signal: AbortSignal;
}

/** The copy of the project in a folder that {@link runTests} takes. */
export function projectIn(folder: string): string {
  return join(folder, 'project');
}

/**
 * Runs test files with vitest in a copy of the project.
 *
 * @param folder holds the copy. Temporary files of the tests go beside the copy, where no package of it can be found
 */
export async function runTests(
  folder: string,
  tests: readonly string[],
  options: TestRunOptions,
): Promise<TestRun> {
  const root = projectIn(folder);
  const [temporary, reportFile] = [join(folder, 'tmp'), join(folder, 'report.json')];
  await mkdir(temporary, { recursive: true });
  await rm(reportFile, { force: true });
  const program = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const output = ['--reporter=json', `--outputFile=${reportFile}`];
  // A second attempt, so that no test counts that failed because the machine is busy.
  const parameters = [program, 'run', `--bail=${options.bail}`, '--retry=1', ...output, ...tests];
  const printed = await runProcess(parameters, root, temporary, options);
  if (printed.endedBy !== undefined) {
    return { ended: false, why: printed.endedBy };
  }
  try {
    return { ended: true, report: JSON.parse(await readFile(reportFile, 'utf8')) as TestReport };
  } catch {
    return { ended: false, why: `vitest wrote no report: ${firstLine(printed.stderr.trim())}` };
  }
}

interface Printed {
  readonly stderr: string;
  /** Why we ended the process; undefined when it ended by itself. */
  readonly endedBy?: string;
}

/** Runs Node.js in a process group of its own, so that what the tests started can be ended with it. */
function runProcess(
  parameters: readonly string[],
  cwd: string,
  temporary: string,
  { withinMilliseconds, signal }: TestRunOptions,
): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TMPDIR: temporary };
    const child = spawn(process.execPath, parameters, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    let endedBy: string | undefined;
    const end = (why: string) => {
      endedBy ??= why;
      killGroup(child.pid);
    };
    const onAbort = () => end('interrupted');
    const timer = setTimeout(() => end(`not done within ${withinMilliseconds / 1000} s`), withinMilliseconds);
    signal.addEventListener('abort', onAbort);
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-10_000);
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // A test that failed may have left a server behind, which would go on in the group.
      killGroup(child.pid);
      resolve({ stderr, ...(endedBy === undefined ? {} : { endedBy }) });
    });
    if (signal.aborted) {
      onAbort();
    }
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
