import { parseArgs } from 'node:util';
import { messageOf } from '../../cli/errors.ts';
import { type CheckOptions, checkUpgrade } from './check.ts';
import { CheckProblem } from './problem.ts';
import { renderReport } from './report.ts';

const usage = `Usage: npm run check:upgrade -- --from REF [options]

Checks that a deployment of REF can be updated to this checkout without losing data.

  --from REF            a tag, a branch or a commit, or last-release: the newest release tag
  --context NAME=VALUE  a setting for both versions; can be repeated
  --json                write the result as JSON
  --help                show this

It exits with 0 when nothing would be lost, or no release has been tagged yet; with 1 when something would be; with 2
when it could not be checked.
`;

export const checkExitCodes = { safe: 0, unsafe: 1, notChecked: 2, interrupted: 130 } as const;

export interface CheckSurroundings {
  readonly root: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Stops the check. What it wrote is removed first. */
  readonly signal: AbortSignal;
}

/** Runs the check with these parameters. @returns the exit code */
export async function runCheck(
  parameters: readonly string[],
  { root, stdout, stderr, signal }: CheckSurroundings,
): Promise<number> {
  try {
    const options = parseOptions(parameters);
    if (options === 'help') {
      stdout(usage);
      return checkExitCodes.safe;
    }
    const { json, ...asked } = options;
    const report = await checkUpgrade({
      ...asked,
      root,
      signal,
      progress: (line) => stderr(`${line} ...\n`),
    });
    stdout(json ? `${JSON.stringify(report, undefined, 2)}\n` : renderReport(report));
    return 'none' in report || report.findings.length === 0 ? checkExitCodes.safe : checkExitCodes.unsafe;
  } catch (error) {
    if (signal.aborted) {
      return checkExitCodes.interrupted;
    }
    // Any other error is a defect of the check. It must not look like a finding.
    const message = error instanceof Error && !(error instanceof CheckProblem) ? error.stack : undefined;
    stderr(`error: ${message ?? messageOf(error)}\n`);
    return checkExitCodes.notChecked;
  }
}

type Asked = Pick<CheckOptions, 'from' | 'context'> & { readonly json: boolean };

function parseOptions(parameters: readonly string[]): Asked | 'help' {
  const { from, context, json, help } = parsed(parameters);
  if (help) {
    return 'help';
  }
  if (from === undefined || from === '') {
    throw new CheckProblem(`--from is missing.\n\n${usage}`);
  }
  return { from, json, context: Object.fromEntries(context.map(setting)) };
}

function parsed(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        from: { type: 'string' },
        context: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new CheckProblem(`${messageOf(error)}\n\n${usage}`);
  }
}

function setting(text: string): readonly [string, string] {
  const [name = '', ...value] = text.split('=');
  if (name === '' || value.length === 0) {
    throw new CheckProblem(`--context ${text} is not of the form NAME=VALUE.`);
  }
  if (name === 'stage') {
    throw new CheckProblem('--context stage is not needed: both stages are checked.');
  }
  return [name, value.join('=')];
}
