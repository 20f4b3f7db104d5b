/** Prints the counts of a long run and each problem once, and sets the exit code: 1 when there is a problem. */
export function printResult(
  counts: Readonly<Record<string, number | string>>,
  problems: readonly string[],
): void {
  const lines = Object.entries(counts).map(([name, count]) => `${name}: ${count}\n`);
  const distinct = [...new Set(problems)].map((problem) => `  ${problem}\n`);
  process.stdout.write(`${lines.join('')}problems: ${problems.length}\n${distinct.join('')}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
