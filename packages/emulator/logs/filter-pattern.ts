import type { JsonObject } from '../shared/json.ts';

type Matches = (line: JsonObject) => boolean;

/**
 * Reads a filter pattern that compares members of JSON lines with texts (CloudWatch Logs User Guide, "Filter
 * pattern syntax", JSON log events). Several comparisons, each in parentheses, are joined by `&&` or by `||`. An
 * asterisk at the end of a text matches all texts with the same start.
 *
 * @returns a function that returns true for a matching line; undefined for an unsupported pattern
 */
export function readFilterPattern(pattern: string): Matches | undefined {
  const [, body = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const [, terms = body] = /^\((.*)\)$/.exec(body) ?? [];
  const operator = terms.includes(') || (') ? '||' : '&&';
  const parts = terms.split(`) ${operator} (`).map(readComparison);
  const comparisons = parts.filter((part) => part !== undefined);
  if (comparisons.length < parts.length) {
    return undefined;
  }
  return operator === '||'
    ? (line) => comparisons.some((matches) => matches(line))
    : (line) => comparisons.every((matches) => matches(line));
}

function readComparison(text: string): Matches | undefined {
  const [, member, start, wildcard] = /^\$\.(\w+) = "([^"*\\]*)(\*?)"$/.exec(text) ?? [];
  if (member === undefined || start === undefined) {
    return undefined;
  }
  return wildcard
    ? ({ [member]: value }) => typeof value === 'string' && value.startsWith(start)
    : ({ [member]: value }) => value === start;
}
