/**
 * Loads a bundle as Lambda does, calls its handler once, and writes how much CPU time the process has used until then,
 * in milliseconds.
 *
 *     node tools/bench/respond-once.mjs BUNDLE EVENT
 *
 * Plain JavaScript: a loader of TypeScript would cost more than what is measured.
 */
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const response = await handler(JSON.parse(event));
const { user, system } = process.cpuUsage();
if (response?.statusCode >= 300) {
  throw new Error(`Answered ${JSON.stringify(response)}`);
}
process.stdout.write(String((user + system) / 1000), () => process.exit(0));
