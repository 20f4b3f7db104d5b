/**
 * Entry point of the benchmarks.
 *
 *     npm run bench                      lists them
 *     npm run bench -- NAME [options]    runs one
 *     npm run bench -- all               runs all in turn
 */
import { type NamedProgram, runNamed } from '../scripts/named-programs.ts';

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
  'warm-path': {
    file: 'bench/warm-path.ts',
    description: 'answer a warm request, and make one signature',
  },
  timing: {
    file: 'bench/timing.ts',
    description: 'time the refusals of an unknown client and of a wrong secret',
  },
};

process.exitCode = await runNamed({ command: 'npm run bench', programs }, process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
