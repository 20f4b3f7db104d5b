/** One setting: what it means, what it may be, and what it is when nobody sets it. */
export interface Setting<Value> {
  readonly fallback: Value;
  /** The default, for people. */
  readonly fallbackText: string;
  /** Completes "it must be ...". */
  readonly allowed: string;
  readonly meaning: string;
  /** Reads a value of the context, text or JSON. `undefined` when it is not allowed. */
  readonly parse: (given: unknown) => { readonly value: Value } | undefined;
}

/** A setting with a few values. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  { fallback, meaning }: { readonly fallback: NoInfer<Value>; readonly meaning: string },
): Setting<Value> {
  return {
    fallback,
    fallbackText: fallback,
    allowed: values.join(' or '),
    meaning,
    parse: (given) => {
      const value = values.find((candidate) => candidate === given);
      return value === undefined ? undefined : { value };
    },
  };
}

/** A whole number within bounds, both included. */
export function integer(options: {
  readonly fallback: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly meaning: string;
}): Setting<number> {
  const { fallback, minimum, maximum, meaning } = options;
  return {
    fallback,
    fallbackText: String(fallback),
    allowed: `a whole number from ${minimum} to ${maximum}`,
    meaning,
    parse: (given) => {
      const value = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given;
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        return undefined;
      }
      return value >= minimum && value <= maximum ? { value } : undefined;
    },
  };
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * An origin (RFC 6454 section 6.2) in the form that URL parsers give it, since the issuer is compared as text
 * (RFC 8414 section 3.3): no path, query, fragment, user, default port or trailing slash.
 */
export function origin(options: {
  readonly fallback: string | undefined;
  readonly fallbackText: string;
  readonly meaning: string;
}): Setting<string | undefined> {
  return {
    ...options,
    allowed:
      'an https URL in lower-case ASCII, without a user, default port (443), path, query, fragment or trailing slash ' +
      '(http only on loopback)',
    parse: (given) => {
      if (typeof given !== 'string' || !URL.canParse(given)) {
        return undefined;
      }
      const url = new URL(given);
      const isSafe =
        url.protocol === 'https:' || (url.protocol === 'http:' && loopbackHosts.includes(url.hostname));
      return isSafe && url.origin === given ? { value: given } : undefined;
    },
  };
}
