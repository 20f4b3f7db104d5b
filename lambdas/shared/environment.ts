import { type EnvironmentKey, environmentNames } from '../../contract/internal/environment.ts';

/**
 * Reads the named variables. A missing or empty variable fails the start of the function, so a wrong
 * deployment fails before the first request.
 *
 * @throws {Error} naming every missing variable
 *
 * @example
 * ```ts
 * const { baseUrl, metricsNamespace } = readEnvironment(['baseUrl', 'metricsNamespace']);
 * ```
 */
export function readEnvironment<const Key extends EnvironmentKey>(
  keys: readonly Key[],
  source: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<Key, string>> {
  const missing = keys.filter((key) => !source[environmentNames[key]]);
  if (missing.length > 0) {
    const names = missing.map((key) => environmentNames[key]).join(', ');
    throw new Error(`Missing environment variable: ${names}`);
  }
  return Object.fromEntries(keys.map((key) => [key, source[environmentNames[key]]])) as Record<Key, string>;
}

/** Reads an optional variable. Returns undefined if it is missing or empty. */
export function readOptional(
  key: EnvironmentKey,
  source: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return source[environmentNames[key]] || undefined;
}

/** Returns the days for which upload records are kept; undefined: for ever. */
export function parseRetentionDays(value: string): number | undefined {
  return value === 'forever' ? undefined : Number(value);
}
