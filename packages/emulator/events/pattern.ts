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
  const names = new Set(Object.keys(pattern).map((name) => name.replace(/\..*/s, '')));
  const fields = [...names].map((name) => [name, parseField(name, fieldOf(pattern, name), where)] as const);
  return anyOf(
    (event) => isJsonObject(event) && fields.every(([name, matches]) => matches(fieldOf(event, name))),
  );
}

/**
 * Returns the value of a field. AWS reads `{"a.b": 1}` as `{"a": {"b": 1}}`, in patterns and in events
 * (recorded).
 */
function fieldOf(fields: Fields, name: string): unknown {
  const dotted = Object.keys(fields).filter((key) => key.startsWith(`${name}.`));
  const inner = dotted.map((key) => [key.slice(name.length + 1), fields[key]]);
  return dotted.length === 0 ? fields[name] : { ...Object(fields[name]), ...Object.fromEntries(inner) };
}

/** A list matches if one of its items matches. Items may be objects (recorded: list_within_dict). */
function anyOf(matches: EventPattern): EventPattern {
  return (value) => (Array.isArray(value) ? value.some(matches) : matches(value));
}

function parseField(name: string, value: unknown, where: string): EventPattern {
  if (name.startsWith('$')) {
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
