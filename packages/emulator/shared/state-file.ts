import * as v from 'valibot';
import { StartProblem, textOf } from './errors.ts';
import { readFileIfPresent } from './files.ts';

/** Remedy that leaves the folder unchanged, for a person who can repair the file or has a copy of it. */
export const restoreOrStartElsewhere =
  'Restore it from a copy, or start with another state folder, which leaves this one unchanged.';

/**
 * Reads a JSON file that the emulator has written to its state folder. A damaged file ends the start: it is
 * neither read in part nor replaced.
 *
 * @param remedy advice for the person, in sentences. It must not cost intact data
 * @returns undefined when there is no such file
 * @throws {StartProblem} naming the file, the damage and the remedy
 */
export async function readStateFile<Content>(
  path: string,
  schema: v.GenericSchema<unknown, Content>,
  remedy: string,
): Promise<Content | undefined> {
  const text = await readStateText(path, remedy);
  return text === undefined ? undefined : parseState(text, { path, schema, remedy });
}

/** Works like {@link readStateFile}, for a text in another format. */
export async function readStateText(path: string, remedy: string): Promise<string | undefined> {
  try {
    return await readFileIfPresent(path);
  } catch (error) {
    throw brokenState(path, textOf(error), remedy);
  }
}

interface StateText<Content> {
  /** File, or a place in it. */
  readonly path: string;
  readonly schema: v.GenericSchema<unknown, Content>;
  readonly remedy: string;
}

/** @throws {StartProblem} when the text differs from the emulator's format */
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
    ? 'it is not JSON, or is truncated'
    : `${path?.map(({ key }) => String(key)).join('.') ?? 'its content'}: ${message}`;
}

/** Creates the problem for an unusable file in the state folder. */
export function brokenState(path: string, damage: string, remedy: string): StartProblem {
  return new StartProblem(`The state file ${path} is broken: ${damage}. ${remedy}`);
}
