/**
 * Entry point of the tests that run long. Most have a short form in `npm test`.
 *
 *     npm run test:long                      lists them
 *     npm run test:long -- NAME [options]    runs one
 *     npm run test:long -- all               runs all in turn
 */
import { type NamedProgram, runNamed } from '../../scripts/named-programs.ts';

const programs: Readonly<Record<string, NamedProgram>> = {
  uploads: {
    file: 'test/long/uploads/main.ts',
    description: 'Makes 1,000 uploads while events are disturbed and the run is killed; compares all state',
  },
  rotation: {
    file: 'test/long/rotation/main.ts',
    description: 'Changes signing keys and client secrets under load while Secrets Manager fails',
  },
  faults: {
    file: 'test/long/faults/main.ts',
    description: 'Has each AWS service be slow, throttle, fail, stall and answer garbage under load',
  },
  iam: {
    file: 'test/long/iam/main.ts',
    description: 'Takes each statement and action of every policy away in turn: something must fail',
  },
  limits: {
    file: 'test/long/limits/main.ts',
    description: 'Uploads a file of exactly 5 GiB, and tries one that is a byte larger',
  },
  settings: {
    file: 'test/long/settings/main.ts',
    description: 'Synthesizes and checks every combination of the least and greatest settings',
  },
  generators: {
    file: 'test/long/generators/main.ts',
    description: 'Makes clients in four languages of the API description, and has each upload a file',
  },
  fuzz: {
    file: 'test/long/fuzz/main.ts',
    description: 'Sends 100,000 hostile inputs to the functions, the upload URL and the command line',
  },
  leaks: {
    file: 'test/long/leaks/main.ts',
    description: 'Runs the contract suite and the tools, then searches their output for secrets',
  },
};

process.exitCode = await runNamed({ command: 'npm run test:long', programs }, process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
