import { type Column, renderDetails, renderTable, type Style } from './table.ts';
import { counted } from './text.ts';

/** A stream that takes text; `process.stdout` and `process.stderr` are such. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** How a command tells its result: one JSON object on stdout, or text for people. Notes go to stderr. */
export interface Output {
  readonly json: boolean;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly style: Style;
}

export interface OutputOptions {
  readonly json: boolean;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colour on a terminal only, and never with `NO_COLOR` (no-color.org: present and not empty). */
export function createOutput({ json, stdout, stderr, env }: OutputOptions): Output {
  return { json, stdout, stderr, style: { colour: stdout.isTTY === true && !env.NO_COLOR } };
}

/** Tells one thing: as it is, or its details for people. */
export function showOne<Thing extends object>(
  output: Output,
  thing: Thing,
  details: (thing: Thing) => readonly (readonly [string, string | undefined])[],
): void {
  if (output.json) showJson(output, thing);
  else output.stdout.write(renderDetails(details(thing), output.style));
}

/** Tells a list: as `{"data":[...]}`, or as a table with a closing count. */
export function showList<Row extends object>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  noun: string,
): void {
  if (output.json) {
    showJson(output, { data: rows });
    return;
  }
  if (rows.length > 0) output.stdout.write(renderTable(rows, columns, output.style));
  output.stderr.write(rows.length > 0 ? `${counted(rows.length, noun)}\n` : `No ${noun}s.\n`);
}

/** JSON escapes C0 controls itself; what else could act on a terminal is escaped too, which changes no value. */
export function showJson(output: Output, value: object): void {
  const text = JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  output.stdout.write(`${text}\n`);
}

/** Tells something on the side. Not part of the result, so it never reaches stdout. */
export function note(output: Output, sentence: string): void {
  output.stderr.write(`${sentence}\n`);
}
