/**
 * Loads a bundle as Lambda does, calls its handler once, and writes how much CPU time the process has used until then,
 * in milliseconds.
 *
 *     node tools/bench/answer-once.mjs BUNDLE EVENT
 *
 * Plain JavaScript: a loader of TypeScript would cost more than what is measured.
 */
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const answer = await handler(JSON.parse(event));
const { user, system } = process.cpuUsage();
if (answer?.statusCode >= 300) {
  throw new Error(`Answered ${JSON.stringify(answer)}`);
}
process.stdout.write(String((user + system) / 1000), () => process.exit(0));
