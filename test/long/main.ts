/**
 * Entry point of the tests that run long. Most have a short form in `npm test`.
 *
 *     npm run test:long                      lists them
 *     npm run test:long -- NAME [options]    runs one
 *     npm run test:long -- all               runs all in turn
 */
import { type NamedProgram, runNamed } from './named-programs.ts';

const programs: Readonly<Record<string, NamedProgram>> = {
  uploads: {
    file: 'test/long/uploads/main.ts',
    description: 'make 1,000 uploads while events are disturbed and the run is killed',
  },
  rotation: {
    file: 'test/long/rotation/main.ts',
    description: 'change keys and secrets under load while Secrets Manager fails',
  },
  faults: {
    file: 'test/long/faults/main.ts',
    description: 'make each AWS service slow, throttling, failing or stalled, under load',
  },
  iam: {
    file: 'test/long/iam/main.ts',
    description: 'remove each permission in turn, and check that something then fails',
  },
  limits: {
    file: 'test/long/limits/main.ts',
    description: 'upload a file of exactly 5 GiB, and try one that is a byte larger',
  },
  generators: {
    file: 'test/long/generators/main.ts',
    description: 'Makes clients in four languages of the API description, and has each upload a file',
  },
  fuzz: {
    file: 'test/long/fuzz/main.ts',
    description: 'send 100,000 hostile inputs to everything that takes input',
  },
  mutation: {
    file: 'test/long/mutation/main.ts',
    description: 'change the code in one place at a time, and check that a test then fails',
  },
  leaks: {
    file: 'test/long/leaks/main.ts',
    description: 'run the contract suite and the tools, and search for leaked secrets',
  },
};

process.exitCode = await runNamed({ command: 'npm run test:long', programs }, process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
