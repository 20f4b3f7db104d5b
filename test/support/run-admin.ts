import { PassThrough } from 'node:stream';
import { runAdmin } from '../../tools/admin/program.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import type { ConsoleRequest } from '../../tools/terminal/console-request.ts';
import { readText, TextCollector } from './text-stream.ts';

export type AdminRun = Awaited<ReturnType<typeof admin>>;

interface AdminTerminal {
  readonly columns?: number;
  readonly stdin?: string;
  /** Keys typed on the terminal. */
  readonly keys?: string;
  /** Called while the command waits. */
  readonly duringWait?: () => Promise<unknown>;
}

/**
 * Runs the admin command without a terminal, for a local run. The first text is a line, as it is typed. Further
 * texts are parameters that may contain spaces.
 *
 * @example
 * run('client create --organisation acme --name', 'Nightly export');
 */
export const adminOf =
  (deployment: Deployment, terminal: AdminTerminal = {}) =>
  (...[line = '', ...words]: readonly string[]) =>
    admin(deployment, ['--local', ...line.split(' '), ...words], {}, terminal);

/**
 * Runs the admin command in this process, without a terminal, or with a terminal of this many columns for its
 * result.
 */
export async function admin(
  deployment: Deployment | undefined,
  parameters: readonly string[],
  env: Record<string, string> = {},
  { columns, stdin, keys, duringWait }: AdminTerminal = {},
) {
  const stdout = new TextCollector(columns === undefined ? { isTTY: false } : { isTTY: true, columns });
  const isTTY = keys !== undefined;
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 100 });
  const input = Object.assign(new PassThrough(), { isTTY });
  if (stdin !== undefined) {
    input.end(stdin);
  } else if (isTTY) {
    input.write(keys);
  }
  const opened: string[] = [];
  const consoles: ConsoleRequest[] = [];
  const waits: number[] = [];
  const open = (kind: string) => async (name: string) => {
    opened.push(`${kind} ${name}`);
    if (deployment === undefined) {
      throw new Error('no deployment');
    }
    return kind === 'local' ? { ...deployment, isLocal: true as const } : deployment;
  };
  const code = await runAdmin(parameters, {
    stdin: input,
    stdout,
    stderr,
    env,
    words: 'admin',
    version: '1.2.3',
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      await duringWait?.();
    },
    openLocal: open('local'),
    openStack: open('stack'),
    runConsole: async (request) => void consoles.push(request),
  });
  const errors = readText(stderr);
  expect(await rejectedSteps(`${stdout.text}${errors}`, env)).toEqual([]);
  return {
    code,
    stdout: stdout.text,
    stderr: errors,
    /** Names of the opened deployments. */
    opened,
    /** Consoles that the command was to serve. */
    consoles,
    /** Milliseconds of each wait. The command does not really wait. */
    waits,
    /** Parses standard output, which must be one JSON object. */
    json: () => JSON.parse(stdout.text) as Record<string, unknown>,
  };
}

/** Types the next steps that a run printed, and returns those that the program rejects. Leaves out quoted words. */
async function rejectedSteps(printed: string, env: Record<string, string>) {
  const steps = /^Usage: /.test(printed) ? [] : (printed.match(/^ {2}admin [^'<\n]*$/gm) ?? []);
  const runs = await Promise.all(steps.map((step) => admin(undefined, step.trim().split(' ').slice(1), env)));
  return steps.filter((_, index) => runs[index]?.code === 2);
}

/** Matches a run that printed no result, and this text on standard error. */
export const failure = (reason: string, code = 1) => ({
  code,
  stdout: '',
  stderr: expect.stringContaining(reason),
});

/** Matches a usage error with this text on standard error, before the command opened a deployment. */
export const rejection = (reason: string) => ({ ...failure(reason, 2), opened: [] });
