import * as v from 'valibot';
import { StartProblem, textOf } from './errors.ts';
import { readFileIfPresent } from './files.ts';

/** Leaves the folder as it is, for whoever can repair the file or has a copy of it. */
export const restoreOrStartElsewhere =
  'Put a copy of it back, or start with another state folder, which leaves this one as it is.';

/**
 * Reads JSON that the emulator has written to its state folder. A file that a person or a disk has damaged ends the start:
 * nothing is read in half, and nothing is replaced.
 *
 * @param remedy what a person can do, in sentences. It must not cost data that is intact
 * @returns undefined when there is no such file
 * @throws {StartProblem} naming the file, what is wrong with it, and the remedy
 */
export async function readStateFile<Content>(
  path: string,
  schema: v.GenericSchema<unknown, Content>,
  remedy: string,
): Promise<Content | undefined> {
  const text = await readStateText(path, remedy);
  return text === undefined ? undefined : parseState(text, { path, schema, remedy });
}

/** Like {@link readStateFile}, for a text in another form. */
export async function readStateText(path: string, remedy: string): Promise<string | undefined> {
  try {
    return await readFileIfPresent(path);
  } catch (error) {
    throw brokenState(path, textOf(error), remedy);
  }
}

interface StateText<Content> {
  /** The file, or a place in it. */
  readonly path: string;
  readonly schema: v.GenericSchema<unknown, Content>;
  readonly remedy: string;
}

/** @throws {StartProblem} when the text is not what the emulator has written */
export function parseState<Content>(text: string, { path, schema, remedy }: StateText<Content>): Content {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (parsed.success) {
    return parsed.output;
  }
  throw brokenState(path, wrongWith(text, parsed.issues[0]), remedy);
}

function wrongWith(text: string, { type, message, path }: v.BaseIssue<unknown>): string {
  if (text === '') {
    return 'it is empty';
  }
  return type === 'parse_json'
    ? 'it is not JSON, or is cut short'
    : `${path?.map(({ key }) => String(key)).join('.') ?? 'its content'}: ${message}`;
}

/** The problem of a file in the state folder that cannot be used. */
export function brokenState(path: string, what: string, remedy: string): StartProblem {
  return new StartProblem(`The state file ${path} is broken: ${what}. ${remedy}`);
}
