import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StartProblem } from 'cloud-assembly-emulator';
import * as v from 'valibot';
import { exitCodes, UsageError } from '../../terminal/errors.ts';
import { digestInputs, isSynthesizedFrom, recordInputs } from './inputs.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Environment variable with a program to run instead of `bin/app.ts`. The tests use a program that
 * synthesizes each context only once.
 */
export const appVariable = 'FILE_SYNC_LOCAL_APP';

const cdkSchema = v.object({ context: v.optional(v.record(v.string(), v.unknown()), {}) });

interface SynthesizeOptions {
  /** Folder of the cloud assembly. It is removed first if it exists. */
  readonly outputDirectory: string;
  /** Context to merge into the context in cdk.json. It takes precedence. */
  readonly context: Readonly<Record<string, string>>;
  /** Cancels the synthesis when the local run is asked to end. */
  readonly signal: AbortSignal;
}

/** Returns true if the cloud assembly was synthesized from the same sources and the same context. */
export function isSynthesized({ outputDirectory, context }: SynthesizeOptions): boolean {
  // The source files of another app are unknown.
  return !process.env[appVariable] && isSynthesizedFrom(outputDirectory, digestInputs(projectRoot, context));
}

/**
 * Runs the app in its own process with the variables CDK_OUTDIR and CDK_CONTEXT_JSON, like the CDK's command
 * line. The CDK and the bundler need more memory than all later steps.
 *
 * @throws {UsageError} if a setting is invalid
 * @throws {StartProblem} with the output of the app
 */
export async function synthesize({ outputDirectory, context, signal }: SynthesizeOptions): Promise<void> {
  // Computed before the app reads the sources, so the next start detects a change in between.
  const inputs = digestInputs(projectRoot, context);
  const { context: fixed } = v.parse(cdkSchema, JSON.parse(readFileSync(`${projectRoot}cdk.json`, 'utf8')));
  rmSync(outputDirectory, { recursive: true, force: true });
  const otherApp = process.env[appVariable];
  const child = spawn(process.execPath, otherApp ? [otherApp] : ['--import', 'tsx', 'bin/app.ts'], {
    cwd: projectRoot,
    env: {
      ...process.env,
      CDK_OUTDIR: outputDirectory,
      // CloudFormation's rules would take half the time of a start. The emulator then checks the template
      // against its own strict schemas, and the tests validate it for every setting.
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

/** Removes the progress of the bundler, which does not explain the failure. */
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
