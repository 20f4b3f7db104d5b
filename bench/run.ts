import { parseArgs } from 'node:util';
import type { NamedProgram, Output } from '../scripts/named-programs.ts';
import type { Measurement } from './measurement.ts';
import { type Failure, json, table } from './report.ts';
import { type HeldTargets, judge, recordHeld, type Verdict } from './verdict.ts';

export interface BenchDependencies {
  readonly measurements: readonly Measurement[];
  /** Programs without a target. Each is run by its name alone. */
  readonly programs: Readonly<Record<string, NamedProgram>>;
  readonly runProgram: (name: string, options: readonly string[]) => Promise<number>;
  readonly readHeld: () => Promise<HeldTargets>;
  readonly writeHeld: (held: HeldTargets) => Promise<void>;
  readonly random: () => number;
  readonly output: Output;
}

const defaultRounds = 12;
const usageExitCode = 2;

/**
 * Runs what the parameters name, or all measurements.
 *
 * @returns the exit code: 1 when a target that held before no longer holds by more than the noise, or when something
 *   could not be measured; 2 when the parameters are not valid
 */
export async function runBench(parameters: readonly string[], bench: BenchDependencies): Promise<number> {
  const [first, ...rest] = parameters;
  if (first !== undefined && Object.hasOwn(bench.programs, first)) {
    return bench.runProgram(first, rest);
  }
  const options = readOptions(parameters, bench);
  if (typeof options === 'string') {
    bench.output.stderr(`error: ${options}\n`);
    return usageExitCode;
  }
  if (options.usage) {
    bench.output.stdout(usage(bench));
    return 0;
  }
  return measureAll(options, bench);
}

interface Options {
  readonly usage: boolean;
  readonly json: boolean;
  readonly record: boolean;
  readonly rounds: number;
  readonly chosen: readonly Measurement[];
}

/** @returns the options, or what is wrong with them */
function readOptions(parameters: readonly string[], { measurements, programs }: BenchDependencies) {
  try {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        rounds: { type: 'string', default: String(defaultRounds) },
      },
    });
    const rounds = Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 3) {
      return `--rounds must be a whole number of at least 3, not '${values.rounds}': fewer say nothing about noise`;
    }
    const unknown = positionals.find((name) => !measurements.some(({ id }) => id === name));
    if (unknown !== undefined) {
      return Object.hasOwn(programs, unknown)
        ? `'${unknown}' has no target, so it runs alone: put its name first, and nothing but its own options after it`
        : `unknown name '${unknown}'. See the names with: npm run bench -- --list`;
    }
    const chosen = measurements.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
    const { json, record } = values;
    return { usage: values.help || values.list, json, record, rounds, chosen } satisfies Options;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function measureAll(options: Options, bench: BenchDependencies): Promise<number> {
  const { rounds } = options;
  const held = await bench.readHeld();
  const verdicts: Verdict[] = [];
  const failures: Failure[] = [];
  for (const measurement of options.chosen) {
    bench.output.stderr(`measuring ${measurement.id}\n`);
    try {
      verdicts.push(judge(measurement, await measurement.measure(rounds), held, bench.random));
    } catch (error) {
      failures.push({ measurement, error: error instanceof Error ? error.message : String(error) });
    }
  }
  bench.output.stdout(options.json ? json(rounds, verdicts, failures) : table(verdicts, failures));
  if (options.record) {
    await bench.writeHeld(recordHeld(held, verdicts));
  }
  return failures.length > 0 || verdicts.some(({ lost }) => lost) ? 1 : 0;
}

function usage({ measurements, programs }: BenchDependencies): string {
  const entries = [
    ...measurements.map(({ id, what }) => [id, what] as const),
    ...Object.entries(programs).map(([name, { description }]) => [name, description] as const),
  ];
  const width = Math.max(...entries.map(([name]) => name.length));
  const line = ([name, text]: readonly [string, string]) => `  ${name.padEnd(width)}  ${text}\n`;
  const files = Object.entries(programs).map(([name, { file }]) => line([name, file]));
  return [
    'Usage: npm run bench [-- NAME... [--rounds N] [--json] [--record]]\n',
    '       npm run bench -- PROGRAM [options]\n\n',
    'Without a name, all measurements run. Each has a target:\n\n',
    ...entries.slice(0, measurements.length).map(line),
    '\n  --rounds N  how often each contestant has its turn ',
    `(${defaultRounds})\n`,
    '  --json      print the result as JSON, and nothing else, on stdout\n',
    '  --record    keep in bench/held.json which targets hold\n',
    '  --list      print this list, as --help does\n',
    '\nThe exit code is 1 when a target of bench/held.json is missed by more than the noise of the run,\n',
    'or when something could not be measured.\n\n',
    'Programs without a target run alone:\n\n',
    ...entries.slice(measurements.length).map(line),
    '\nThe comment at the top of each file lists its options:\n\n',
    ...files,
  ].join('');
}
