/**
 * Entry point of the tests that run long. Most have a short form in `npm test`.
 *
 *     npm run test:long                      lists them
 *     npm run test:long -- NAME [options]    runs one; the comment at the top of `NAME/main.ts` lists its options
 */
const programs: Readonly<Record<string, string>> = {
  uploads: 'make 1,000 uploads while events are disturbed and the run is killed',
  rotation: 'change keys and secrets under load while Secrets Manager fails',
  faults: 'make each AWS service slow, throttling, failing or stalled, under load',
  iam: 'remove each permission in turn, and check that something then fails',
  limits: 'upload a file of exactly 5 GiB, and try one that is a byte larger',
  generators: 'make clients in four languages of the API description, and have each upload a file',
  fuzz: 'send 100,000 hostile inputs to everything that takes input',
  mutation: 'change the code in one place at a time, and check that a test then fails',
  leaks: 'run the contract suite and the tools, and search for leaked secrets',
};

// What is left are the options of the program.
const [name = ''] = process.argv.splice(2, 1);
if (Object.hasOwn(programs, name)) {
  await import(`./${name}/main.ts`);
} else {
  const lines = Object.entries(programs).map(([each, what]) => `  ${each.padEnd(10)}  ${what}\n`);
  process.stderr.write(`Usage: npm run test:long -- NAME [options]\n\n${lines.join('')}`);
  process.exitCode = 2;
}
