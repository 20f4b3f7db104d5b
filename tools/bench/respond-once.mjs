/**
 * Loads a bundle like Lambda, calls its handler once, and prints the CPU time of the process until then, in
 * milliseconds.
 *
 * node tools/bench/respond-once.mjs BUNDLE EVENT
 *
 * Plain JavaScript: a TypeScript loader would cost more than the measured code.
 */
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);
const response = await handler(JSON.parse(event));
const { user, system } = process.cpuUsage();
if (response?.statusCode >= 300) {
  throw new Error(`Response ${JSON.stringify(response)}`);
}
process.stdout.write(String((user + system) / 1000), () => process.exit(0));
