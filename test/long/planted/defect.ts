/** A defect that is planted in a copy of the project: one edit that breaks one promise. */
export interface Defect {
  readonly name: string;
  /** The promise that it breaks, and where the promise is made: a rule of docs/api.md, a decision or a page. */
  readonly promise: string;
  /** From the project's root. */
  readonly file: string;
  /** The text that is replaced. It occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files, or folders of them, that must catch the defect. The cheapest comes first. */
  readonly tests: readonly string[];
}

/** Defects of one subject. */
export interface Subject {
  readonly subject: string;
  readonly defects: readonly Defect[];
}

/** How often a text occurs in a source. */
export function occurrences(source: string, text: string): number {
  return source.split(text).length - 1;
}

/** @returns the source with the defect; undefined when the source does not have its text exactly once */
export function withDefect(source: string, { find, replace }: Pick<Defect, 'find' | 'replace'>) {
  return occurrences(source, find) === 1 ? source.replace(find, () => replace) : undefined;
}
