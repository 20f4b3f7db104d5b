import { parseArgs } from 'node:util';

/**
 * Variable with the options of a long run, which `main.ts` passes to the test as a JSON list. If unset, the
 * test runs in its short form.
 */
export const soakVariable = 'FILE_SYNC_SOAK';

const options: readonly string[] | undefined = JSON.parse(process.env[soakVariable] ?? 'null') ?? undefined;

export const isLong = options !== undefined;

/** In milliseconds. A long run ends when its work is complete, regardless of the load of the machine. */
export const soakTimeout = isLong ? 24 * 3_600_000 : 300_000;

/** Prints the progress of a long run. */
export const report = isLong ? (line: string) => console.log(line) : () => undefined;

/**
 * Returns the sizes of the short form or of the long form. Each size of the long form is also an option:
 * `--uploads 10000`. Prints the sizes of a long run, so that the run can be repeated.
 */
export function sizesOf<Name extends string>(
  short: Readonly<Record<Name, number>>,
  long: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  if (options === undefined) {
    return short;
  }
  const names = Object.keys(long) as Name[];
  const { values } = parseArgs({
    args: [...options],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const sizes = Object.fromEntries(names.map((name) => [name, Number(values[name] ?? long[name])]));
  report(JSON.stringify(sizes));
  return sizes as Record<Name, number>;
}
