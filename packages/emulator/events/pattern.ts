import { isJsonObject } from '../shared/json.ts';

/**
 * Returns true if an event, or a part of an event, matches a pattern. Fields outside the pattern may have any
 * value.
 */
export type EventPattern = (event: unknown) => boolean;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an event pattern (EventBridge User Guide, "Event patterns"): exact values and `prefix`.
 *
 * @throws {Error} naming `where`, for an unsupported matcher and for a pattern that AWS rejects
 */
export function parseEventPattern(pattern: Fields, where: string): EventPattern {
  const fields = Object.entries(pattern).map(
    ([name, value]) => [name, parseField(name, value, where)] as const,
  );
  return anyOf((event) => isJsonObject(event) && fields.every(([name, matches]) => matches(event[name])));
}

/** A list matches if one of its items matches. Items may be objects (recorded: list_within_dict). */
function anyOf(matches: EventPattern): EventPattern {
  return (value) => (Array.isArray(value) ? value.some(matches) : matches(value));
}

function parseField(name: string, value: unknown, where: string): EventPattern {
  // AWS reads a name with a dot as the names of two fields.
  if (name.startsWith('$') || name.includes('.')) {
    throw unsupported(where, name);
  }
  if (isJsonObject(value)) {
    return parseEventPattern(value, where);
  }
  if (!Array.isArray(value)) {
    throw notValid(where, `"${name}" must be an object or an array`);
  }
  if (value.length === 0) {
    throw notValid(where, 'Empty arrays are not allowed');
  }
  const alternatives = value.map((it) => parseAlternative(it, where));
  return anyOf((actual) => alternatives.some((matches) => matches(actual)));
}

/** Creates AWS's error for an invalid pattern (recorded in events/test_events_patterns.py). */
function notValid(where: string, reason: string): Error {
  return new Error(`${where}: Event pattern is not valid. Reason: ${reason}`);
}

/**
 * Creates an error for an unsupported matcher, in AWS's words in case AWS does not know the matcher either.
 */
function unsupported(where: string, matcher: string): Error {
  return notValid(where, `Unrecognized match type ${matcher}, or one that the emulator does not support`);
}

function parseAlternative(wanted: unknown, where: string): EventPattern {
  if (!isJsonObject(wanted)) {
    return (actual) => actual === wanted;
  }
  const { prefix } = wanted;
  const matchers = Object.keys(wanted).join(', ');
  if (matchers !== 'prefix' || isJsonObject(prefix)) {
    throw unsupported(where, matchers);
  }
  if (typeof prefix !== 'string') {
    throw notValid(where, 'prefix match pattern must be a string');
  }
  return (actual) => typeof actual === 'string' && actual.startsWith(prefix);
}
