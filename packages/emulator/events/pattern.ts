import { isJsonObject } from '../shared/json.ts';

/** One of the values of a field in an event pattern. The field matches if one of its values does. */
type Alternative =
  | { readonly kind: 'exact'; readonly value: unknown }
  | { readonly kind: 'prefix'; readonly prefix: string };

/** A checked event pattern. The listed fields of an event must match; other fields may have any value. */
export type EventPattern = ReadonlyMap<string, EventPattern | readonly Alternative[]>;

/**
 * Reads an event pattern (EventBridge User Guide, "Event patterns"): exact values and `prefix`.
 *
 * @throws {Error} naming `where`, for a matcher that is not understood
 */
export function parseEventPattern(pattern: Readonly<Record<string, unknown>>, where: string): EventPattern {
  return new Map(Object.entries(pattern).map(([field, value]) => [field, parseField(field, value, where)]));
}

function parseField(field: string, value: unknown, where: string): EventPattern | readonly Alternative[] {
  if (field.startsWith('$')) {
    throw new Error(`${where}: unknown matcher ${field} in the event pattern`);
  }
  if (Array.isArray(value)) {
    return value.map((it) => parseAlternative(it, where));
  }
  if (isJsonObject(value)) {
    return parseEventPattern(value, where);
  }
  throw new Error(`${where}: ${field} of the event pattern must be a list`);
}

/** Whether an event matches. */
export function matchesEventPattern(pattern: EventPattern, event: unknown): boolean {
  if (!isJsonObject(event)) {
    return false;
  }
  return [...pattern].every(([field, wanted]) => {
    const actual = event[field];
    return isAlternatives(wanted) ? matchesAny(wanted, actual) : matchesEventPattern(wanted, actual);
  });
}

function parseAlternative(value: unknown, where: string): Alternative {
  if (!isJsonObject(value)) {
    return { kind: 'exact', value };
  }
  const { prefix } = value;
  if (typeof prefix === 'string' && Object.keys(value).length === 1) {
    return { kind: 'prefix', prefix };
  }
  throw new Error(`${where}: unknown matcher ${Object.keys(value).join(', ')} in the event pattern`);
}

/** A list in the event matches if one of its items does. */
function matchesAny(alternatives: readonly Alternative[], actual: unknown): boolean {
  const values: unknown[] = Array.isArray(actual) ? actual : [actual];
  return alternatives.some((wanted) => values.some((value) => matches(wanted, value)));
}

function matches(wanted: Alternative, value: unknown): boolean {
  if (wanted.kind === 'exact') {
    return wanted.value === value;
  }
  return typeof value === 'string' && value.startsWith(wanted.prefix);
}

function isAlternatives(value: EventPattern | readonly Alternative[]): value is readonly Alternative[] {
  return Array.isArray(value);
}
