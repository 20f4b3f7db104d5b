import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { exitCodes, UsageError } from '../../cli/errors.ts';
import { StartProblem } from '../../emulator/shared/errors.ts';
import {
  forgetAssembly,
  isAssemblyCurrent,
  recordAssembly,
  type SynthesisParameters,
} from './reuse/assembly-record.ts';
import { type RecordedInputs, recordedInputsVariable } from './reuse/recorded-inputs.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Names a program to run instead of `bin/app.ts`: the tests have one that synthesizes each context only once. */
export const appVariable = 'FILE_SYNC_LOCAL_APP';

const settingsSchema = v.object({ context: v.optional(v.record(v.string(), v.unknown()), {}) });

export interface SynthesizeOptions {
  /** Where the cloud assembly goes. Removed first if it exists. */
  readonly outputDirectory: string;
  /** Context besides that in cdk.json, which it overrides. */
  readonly context: Readonly<Record<string, string>>;
  /** Ends the synthesis when the local run is asked to end. */
  readonly signal: AbortSignal;
}

/** A synthesis that is wanted. */
export interface Synthesis {
  /** Whether the cloud assembly is there already: it was made of the same files with the same settings. */
  readonly isDone: () => boolean;
  /**
   * @throws {UsageError} when a setting is wrong
   * @throws {StartProblem} with the output of the app
   */
  readonly run: () => Promise<void>;
}

/**
 * Runs the app as the CDK's command line does (variables CDK_OUTDIR and CDK_CONTEXT_JSON), in a process of its own:
 * the CDK and the bundler need more memory than everything that runs afterwards.
 */
export function planSynthesis(options: SynthesizeOptions): Synthesis {
  const otherApp = process.env[appVariable];
  const parameters = parametersOf(options, otherApp);
  return {
    // Of another app it is not known what it reads.
    isDone: () => !otherApp && isAssemblyCurrent(parameters),
    run: () => synthesize(parameters, options.signal),
  };
}

function parametersOf(
  { outputDirectory, context }: SynthesizeOptions,
  otherApp: string | undefined,
): SynthesisParameters {
  const settings = v.parse(settingsSchema, JSON.parse(readFileSync(`${projectRoot}cdk.json`, 'utf8')));
  return {
    projectRoot,
    outputDirectory,
    command: appCommand(otherApp),
    environment: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheTerminal.test(name))),
      CDK_OUTDIR: outputDirectory,
      // CloudFormation's rules would take half the time of a start. The emulator checks the template against its own
      // strict schemas next, and the tests validate it for every setting.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ ...settings.context, ...context }),
      [recordedInputsVariable]: `${outputDirectory}.read.json`,
    },
  };
}

/**
 * Variables that differ from terminal to terminal, and that nobody sets for a stack. The app does not get them, so that
 * it cannot depend on them. It gets all others, and a change of one of them synthesizes again.
 */
const ofTheTerminal =
  /^(_|SHLVL|PWD|OLDPWD|INIT_CWD|COLUMNS|LINES|WINDOWID|COLORTERM|(TERM|SSH|XDG|DBUS|TMUX|VTE|ITERM|VSCODE|npm)_?.*)$/;

async function synthesize(parameters: SynthesisParameters, signal: AbortSignal): Promise<void> {
  const { outputDirectory, command, environment } = parameters;
  const startedAt = Date.now();
  forgetAssembly(outputDirectory);
  rmSync(outputDirectory, { recursive: true, force: true });
  const child = spawn(process.execPath, command, {
    cwd: projectRoot,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const { code, output } = await finish(child);
  const inputs = takeInputs(String(environment[recordedInputsVariable]));
  signal.throwIfAborted();
  if (code === exitCodes.usage) {
    throw new UsageError(withoutProgress(output));
  }
  if (code !== 0) {
    throw new StartProblem(withoutProgress(output) || `The synthesis ended with exit code ${code}.`);
  }
  if (inputs !== undefined) {
    recordAssembly(parameters, inputs, startedAt);
  }
}

/** What the recorder wrote; undefined when the app ran without it. */
function takeInputs(path: string): RecordedInputs | undefined {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  rmSync(path, { force: true });
  return text === undefined ? undefined : JSON.parse(text);
}

function appCommand(other: string | undefined): readonly string[] {
  return other ? [other] : ['--import', 'tsx', '--import', './local/start/reuse/recorder.ts', 'bin/app.ts'];
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
