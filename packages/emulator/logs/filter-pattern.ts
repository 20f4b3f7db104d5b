import type { JsonObject } from '../shared/json.ts';

/**
 * Reads a filter pattern that compares one member of JSON lines with a text (CloudWatch Logs User Guide,
 * "Filter pattern syntax", JSON log events).
 *
 * @returns a function that returns true for a matching line; undefined for an unsupported pattern
 */
export function readFilterPattern(pattern: string): ((line: JsonObject) => boolean) | undefined {
  const [, member, text] = /^\{ \$\.(\w+) = "([^"*\\]*)" \}$/.exec(pattern) ?? [];
  return member === undefined ? undefined : (line) => line[member] === text;
}
