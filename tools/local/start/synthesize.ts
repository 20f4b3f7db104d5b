import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StartProblem } from 'cloud-assembly-emulator';
import * as v from 'valibot';
import { exitCodes, UsageError } from '../../terminal/errors.ts';
import { digestInputs, isSynthesizedFrom, recordInputs } from './inputs.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Names a program to run instead of `bin/app.ts`: the tests have one that synthesizes each context only once. */
export const appVariable = 'FILE_SYNC_LOCAL_APP';

const cdkSchema = v.object({ context: v.optional(v.record(v.string(), v.unknown()), {}) });

export interface SynthesizeOptions {
  /** Where the cloud assembly goes. Removed first if it exists. */
  readonly outputDirectory: string;
  /** Context that is added to the context in cdk.json, and overrides it. */
  readonly context: Readonly<Record<string, string>>;
  /** Ends the synthesis when the local run is asked to end. */
  readonly signal: AbortSignal;
}

/** Whether the cloud assembly was made already from the same sources and the same context. */
export function isSynthesized({ outputDirectory, context }: SynthesizeOptions): boolean {
  // Nobody knows which files another app reads.
  return !process.env[appVariable] && isSynthesizedFrom(outputDirectory, digestInputs(projectRoot, context));
}

/**
 * Runs the app as the CDK's command line does (variables CDK_OUTDIR and CDK_CONTEXT_JSON), in a process of its own:
 * the CDK and the bundler need more memory than everything that runs afterwards.
 *
 * @throws {UsageError} when a setting is wrong
 * @throws {StartProblem} with the output of the app
 */
export async function synthesize({ outputDirectory, context, signal }: SynthesizeOptions): Promise<void> {
  // Made before the app reads the sources, so the next start notices a change in between.
  const inputs = digestInputs(projectRoot, context);
  const { context: fixed } = v.parse(cdkSchema, JSON.parse(readFileSync(`${projectRoot}cdk.json`, 'utf8')));
  rmSync(outputDirectory, { recursive: true, force: true });
  const otherApp = process.env[appVariable];
  const child = spawn(process.execPath, otherApp ? [otherApp] : ['--import', 'tsx', 'bin/app.ts'], {
    cwd: projectRoot,
    env: {
      ...process.env,
      CDK_OUTDIR: outputDirectory,
      // CloudFormation's rules would take half the time of a start. The emulator checks the template against its own
      // strict schemas next, and the tests validate it for every setting.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ ...fixed, ...context }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const { code, output } = await finish(child);
  signal.throwIfAborted();
  if (code === exitCodes.usage) {
    throw new UsageError(withoutProgress(output));
  }
  if (code !== 0) {
    throw new StartProblem(withoutProgress(output) || `The synthesis ended with exit code ${code}.`);
  }
  recordInputs(outputDirectory, inputs);
}

/** Leaves out the progress of the bundler, which does not say what went wrong. */
function withoutProgress(output: string): string {
  const lines = output.split('\n').filter((line) => !/^Bundling asset /.test(line));
  return lines.join('\n').trim();
}

function finish(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      error.name === 'AbortError' ? resolve({ code: null, output }) : reject(error),
    );
    child.once('close', (code) => resolve({ code, output }));
  });
}
