import type { JsonObject } from '../shared/json.ts';

type Matches = (line: JsonObject) => boolean;

/**
 * Reads a filter pattern that compares members of JSON lines with texts (CloudWatch Logs User Guide, "Filter
 * pattern syntax", JSON log events). Several comparisons are joined by `&&` or by `||`, not by both. An asterisk
 * at the end of a text matches all texts with the same start.
 *
 * @returns a function that returns true for a matching line; undefined for an unsupported pattern
 */
export function readFilterPattern(pattern: string): Matches | undefined {
  const [, terms = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const isAny = terms.includes(' || ');
  const read = terms.split(isAny ? ' || ' : ' && ').map(readComparison);
  const all = read.filter((matches) => matches !== undefined);
  if (all.length < read.length) {
    return undefined;
  }
  return (line) => (isAny ? all.some((matches) => matches(line)) : all.every((matches) => matches(line)));
}

function readComparison(text: string): Matches | undefined {
  const [, member = '', start, wildcard] = /^\$\.(\w+) = "([^"*\\]*)(\*?)"$/.exec(text) ?? [];
  if (start === undefined) {
    return undefined;
  }
  return wildcard ? (line) => String(line[member] ?? '').startsWith(start) : (line) => line[member] === start;
}
