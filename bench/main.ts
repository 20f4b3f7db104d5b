/**
 * Entry point of the benchmarks.
 *
 *     npm run bench                      lists them
 *     npm run bench -- NAME [options]    runs one
 *     npm run bench -- all               runs all in turn
 */
import { type NamedProgram, runNamed } from '../scripts/named-programs.ts';

const programs: Readonly<Record<string, NamedProgram>> = {
  'cold-start': {
    file: 'bench/cold-start.ts',
    description: 'Loads each bundle, against an empty one (run `npm run synth` first)',
  },
  presign: {
    file: 'bench/presign.ts',
    description: "Makes one upload URL, against the SDK's `getSignedUrl`",
  },
  upload: {
    file: 'bench/upload.ts',
    description: 'Uploads 5 GiB with the upload command: peak memory, and time against `cp` and `sync`',
  },
  'warm-path': {
    file: 'bench/warm-path.ts',
    description: 'Answers one warm request, against a bare signature',
  },
  timing: {
    file: 'bench/timing.ts',
    description: 'Times refusals: does the time tell an unknown client from a wrong secret?',
  },
};

process.exitCode = await runNamed({ command: 'npm run bench', programs }, process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
