/** The part of an SDK client that decides whether a call is made again. */
interface RetryingClient {
  readonly config: { readonly retryStrategy: () => Promise<object> };
}

/** The method that the SDK asks after a call that failed. It rejects when there is no retry left. */
interface RetryStrategy {
  refreshRetryTokenForRetry: (...parameters: readonly unknown[]) => Promise<unknown>;
}

/** Counts the calls of AWS that are made again. A call that succeeds the first time costs nothing. */
export interface RetryCounter {
  /** Counts the retries of a client. @returns the client */
  readonly watch: <Client extends RetryingClient>(client: Client) => Client;
  /** The retries since it was last asked. */
  readonly take: () => number;
}

/** A client of an SDK that decides in another way is not counted. A test notices such an update of the SDK. */
export function createRetryCounter(): RetryCounter {
  let retries = 0;
  const count = (strategy: object) => {
    if (!isRetryStrategy(strategy)) {
      return;
    }
    const refresh = strategy.refreshRetryTokenForRetry.bind(strategy);
    strategy.refreshRetryTokenForRetry = async (...parameters) => {
      const token = await refresh(...parameters);
      retries += 1;
      return token;
    };
  };
  return {
    watch: (client) => {
      void client.config.retryStrategy().then(count);
      return client;
    },
    take: () => {
      const taken = retries;
      retries = 0;
      return taken;
    },
  };
}

function isRetryStrategy(strategy: object): strategy is RetryStrategy {
  return 'refreshRetryTokenForRetry' in strategy && typeof strategy.refreshRetryTokenForRetry === 'function';
}
