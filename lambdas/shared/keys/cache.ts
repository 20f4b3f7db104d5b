import { keyCacheSeconds } from '../../../contract/internal/key-cache.ts';
import { withinDeadline } from '../http/deadline.ts';

export interface CacheOptions<Value> {
  readonly load: () => Promise<Value>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for each refresh that failed while an older value stays in use. */
  readonly onRefreshFailed: (error: unknown) => void;
  /** Age from which the value is refreshed in the background, in milliseconds. */
  readonly refreshAfterMilliseconds?: number;
  /** Age from which a request waits for the refresh, in milliseconds. */
  readonly maxAgeMilliseconds?: number;
  /** Shortest time between two refreshes, in milliseconds. */
  readonly retryAfterMilliseconds?: number;
  /** Longest time that loading may take, in milliseconds. */
  readonly loadWithinMilliseconds?: number;
}

/** A value that is loaded over the network and kept in memory for a bounded time. */
export type Cache<Value> = ReturnType<typeof createCache<Value>>;

/**
 * Creates a cache that stores a value for at most five minutes, and refreshes it in the background during the
 * fifth minute, so that no request waits. While the source is down, the old value stays in use, and loading
 * is retried every ten seconds. Two loads never run at the same time.
 *
 * In Lambda, background work advances only while a request is served. An environment may have been frozen
 * past the fifth minute: a request that finds a value of `maxAgeMilliseconds` or older therefore waits for
 * the refresh.
 */
export function createCache<Value>(options: CacheOptions<Value>) {
  const {
    now,
    refreshAfterMilliseconds = (keyCacheSeconds - 60) * 1000,
    maxAgeMilliseconds = keyCacheSeconds * 1000,
    retryAfterMilliseconds = 10_000,
    loadWithinMilliseconds = 6_000,
  } = options;
  let held: { readonly value: Value; readonly loadedAt: number } | undefined;
  let loading: Promise<Value> | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;

  async function attempt(): Promise<Value> {
    attemptedAt = now();
    // The age counts from the start of the load, because the value may lack later changes.
    const loadedAt = attemptedAt;
    try {
      // Without a limit, a load that never settles would keep every later request waiting.
      const value = await withinDeadline(loadWithinMilliseconds, options.load);
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

  const attemptedLately = () => loading === undefined && now() - attemptedAt < retryAfterMilliseconds;

  /** @throws the error of loading, if no value was ever loaded */
  async function get(): Promise<Value> {
    if (held === undefined) {
      return load();
    }
    const { value, loadedAt } = held;
    const age = now() - loadedAt;
    if (age < refreshAfterMilliseconds || attemptedLately()) {
      return value;
    }
    const refreshed = load();
    return age < maxAgeMilliseconds ? value : refreshed;
  }

  return {
    /** Starts loading without waiting. If that fails, the next {@link Cache.get} loads again. */
    prefetch: () => {
      load().catch(() => undefined);
    },
    get,
    /**
     * Loads again, at most once per `retryAfterMilliseconds`. Returns the cached value if loading fails, or the
     * last attempt was too recent.
     */
    refresh: async () => (held !== undefined && attemptedLately() ? held.value : load()),
  };
}
