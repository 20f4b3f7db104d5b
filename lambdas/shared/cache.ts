import { withinDeadline } from './deadline.ts';

/** A value that is loaded over the network and kept in memory for a bounded time. */
export interface Cache<Value> {
  /** Starts loading without waiting; a failure is left to the next {@link Cache.get}. */
  readonly prefetch: () => void;
  /** @throws what loading throws, when no value was ever loaded */
  readonly get: () => Promise<Value>;
  /** Loads anew, at most once per `retryAfterMs`; gives the value at hand when that fails or is too early. */
  readonly refresh: () => Promise<Value>;
}

export interface CacheOptions<Value> {
  readonly load: () => Promise<Value>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of every refresh that failed while an older value stays in use. */
  readonly onRefreshFailed: (error: unknown) => void;
  /** Age from which the value is refreshed in the background, in milliseconds. */
  readonly refreshAfterMs?: number;
  /** Age from which a request waits for the refresh, in milliseconds. */
  readonly maximumAgeMs?: number;
  /** Shortest time between two refreshes, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Longest time that loading may take, in milliseconds. */
  readonly loadWithinMs?: number;
}

/** Longest time that a function uses a key or a key set without asking again, in seconds. */
export const keyCacheSeconds = 300;

/**
 * Keeps a value for at most five minutes and refreshes it in the background during the last of them, so that no
 * request waits. A source that is down changes nothing: the value at hand stays in use, asked for again every ten
 * seconds. Nothing is ever loaded twice at once.
 *
 * In Lambda, background work advances only while a request is served; the wait at `maximumAgeMs` covers an
 * environment that slept in between.
 */
export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  const {
    now,
    refreshAfterMs = (keyCacheSeconds - 60) * 1000,
    maximumAgeMs = keyCacheSeconds * 1000,
    retryAfterMs = 10_000,
    loadWithinMs = 6_000,
  } = options;
  let held: { readonly value: Value; readonly loadedAt: number } | undefined;
  let loading: Promise<Value> | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;

  async function attempt(): Promise<Value> {
    attemptedAt = now();
    // As old as the question, not as the answer: what changes in between is not in it.
    const loadedAt = attemptedAt;
    try {
      // A load that never settles would be waited for by every request from then on.
      const value = await withinDeadline(loadWithinMs, options.load);
      held = { value, loadedAt };
      return value;
    } catch (error) {
      if (held === undefined) {
        throw error;
      }
      options.onRefreshFailed(error);
      return held.value;
    } finally {
      loading = undefined;
    }
  }

  function load(): Promise<Value> {
    loading ??= attempt();
    return loading;
  }

  const attemptedLately = () => loading === undefined && now() - attemptedAt < retryAfterMs;

  async function get(): Promise<Value> {
    if (held === undefined) {
      return load();
    }
    const { value, loadedAt } = held;
    const age = now() - loadedAt;
    if (age < refreshAfterMs || attemptedLately()) {
      return value;
    }
    const refreshed = load();
    return age < maximumAgeMs ? value : refreshed;
  }

  return {
    prefetch: () => {
      load().catch(() => undefined);
    },
    get,
    refresh: async () => (held !== undefined && attemptedLately() ? held.value : load()),
  };
}
