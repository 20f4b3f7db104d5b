/** A response in the format of recordings. */
export interface ActualResponse {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Values of placeholders, by name. */
export type Placeholders = Map<string, unknown>;

/** Replaces the placeholders in a request, and `<5 x a>` by `aaaaa`. */
export function fillIn<Value>(value: Value, placeholders: Placeholders): Value;
export function fillIn(value: unknown, placeholders: Placeholders): unknown {
  return mapTexts(value, undefined, (text) =>
    placeholders.has(text)
      ? placeholders.get(text)
      : text.replaceAll(/<(\d+) x (.)>/g, (_, count, letter) => letter.repeat(Number(count))),
  );
}

/**
 * Replaces the placeholders in an expected value. A new placeholder takes the value at its place in the
 * response.
 */
export function expectedFrom(value: unknown, actual: unknown, placeholders: Placeholders): unknown {
  return mapTexts(value, actual, (text, there) => {
    if (!/^<[\w -]+>$/.test(text)) {
      return /<[\w -]+>/.test(text) ? expect.stringMatching(patternOf(text)) : text;
    }
    if (!placeholders.has(text) && there !== undefined && there !== '') {
      placeholders.set(text, there);
    }
    return placeholders.has(text) ? placeholders.get(text) : text;
  });
}

/** Inside a text, a placeholder matches any text. */
function patternOf(text: string): RegExp {
  const parts = text.split(/<[\w -]+>/).map((part) => part.replace(/[^\w\s]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}

type ReplaceText = (text: string, there: unknown) => unknown;

function mapTexts(value: unknown, there: unknown, replace: ReplaceText): unknown {
  if (value instanceof Uint8Array) {
    // The SDK returns bytes without the properties of a Buffer.
    return Uint8Array.from(value);
  }
  if (typeof value === 'string') {
    return replace(value, there);
  }
  if (Array.isArray(value)) {
    return value.map((item, i) => mapTexts(item, Object(there)[i], replace));
  }
  if (!isObject(value)) {
    return value;
  }
  const entries = Object.entries(value).map(([name, child]) => {
    const key = String(replace(name, undefined));
    return [key, mapTexts(child, Object(there)[key], replace)];
  });
  return Object.fromEntries(entries);
}

/** Reads a text as JSON if the expected value is not a text. */
export function readJsonTexts(actual: unknown, expected: unknown): unknown {
  if (typeof actual === 'string') {
    return isObject(expected) ? readJsonTexts(JSON.parse(actual), expected) : actual;
  }
  if (Array.isArray(actual)) {
    return actual.map((item, i) => readJsonTexts(item, Object(expected)[i]));
  }
  if (!isObject(actual) || !isObject(expected)) {
    return actual;
  }
  const entries = Object.entries(actual).map(([name, child]) => [
    name,
    readJsonTexts(child, Object(expected)[name]),
  ]);
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !(value instanceof Date || value instanceof Uint8Array)
  );
}
