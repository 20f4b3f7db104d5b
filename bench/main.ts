/**
 * Entry point of the benchmarks.
 *
 *     npm run bench                            measures everything that has a target
 *     npm run bench -- NAME... [--rounds N]    measures some
 *     npm run bench -- PROGRAM [options]       runs a program that has no target
 *     npm run bench -- --list                  lists them, and the options
 */
import { readFile, writeFile } from 'node:fs/promises';
import { type NamedProgram, type Output, runNamed } from '../scripts/named-programs.ts';
import { measurements } from './measurements.ts';
import { runBench } from './run.ts';
import type { HeldTargets } from './verdict.ts';

const heldFile = new URL('held.json', import.meta.url);

const programs: Readonly<Record<string, NamedProgram>> = {
  'cold-functions': {
    file: 'bench/cold-functions.ts',
    description: 'start a fresh process for each function, and for two peers of `token`',
  },
  presign: {
    file: 'bench/presign.ts',
    description: 'sign an upload URL with our code and with the SDK',
  },
  upload: {
    file: 'bench/upload.ts',
    description: 'upload 5 GiB with the upload command, and copy them with `cp`',
  },
  growth: {
    file: 'bench/growth/main.ts',
    description: 'compare a deployment of 1,000,000 uploads with one of 100: requests, lists, memory',
  },
  concurrency: {
    file: 'bench/concurrency/main.ts',
    description: 'send 1 to 1,000 requests at the same time: errors, and CPU time of each',
  },
  'billed-time': {
    file: 'bench/billed-time/lab/main.ts',
    description: 'measure what a request costs in AWS, for docs/scale.md',
  },
  timing: {
    file: 'bench/timing.ts',
    description: 'time the refusals of an unknown client and of a wrong secret',
  },
};

const output: Output = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
};

process.exitCode = await runBench(process.argv.slice(2), {
  measurements,
  programs,
  runProgram: (name, options) => runNamed({ command: 'npm run bench', programs }, [name, ...options], output),
  readHeld: async () => JSON.parse(await readFile(heldFile, 'utf8')) as HeldTargets,
  writeHeld: (held) => writeFile(heldFile, `${JSON.stringify(held, undefined, 2)}\n`),
  random: Math.random,
  output,
});
