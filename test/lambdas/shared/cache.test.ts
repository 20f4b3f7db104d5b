import { type CacheOptions, createCache } from '../../../lambdas/shared/keys/cache.ts';

/** Creates a source whose loads are settled by the test. */
function controlled(options: Partial<CacheOptions<string>> = {}) {
  let time = 0;
  const failures: unknown[] = [];
  const loads: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const cache = createCache<string>({
    load: () => new Promise((resolve, reject) => loads.push({ resolve, reject })),
    now: () => time,
    onRefreshFailed: (error) => failures.push(error),
    ...options,
  });
  return {
    cache,
    failures,
    loads,
    at: (seconds: number) => {
      time = seconds * 1000;
    },
  };
}

async function loaded() {
  const source = controlled();
  const first = source.cache.get();
  source.loads[0]?.resolve('first');
  await first;
  return source;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('cache of keys', () => {
  test('loads once for any number of requests at the same time', async () => {
    const { cache, loads } = controlled();
    const gets = [cache.get(), cache.get(), cache.refresh(), cache.get()];
    loads[0]?.resolve('value');
    expect(await Promise.all(gets)).toEqual(['value', 'value', 'value', 'value']);
    expect(loads).toHaveLength(1);
  });

  test('abandons a load that never settles, and loads again', async () => {
    const { cache, loads } = controlled({ loadWithinMilliseconds: 20 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const given = expect(cache.get()).rejects.toThrow('Not done within 20 ms');
    await vi.advanceTimersByTimeAsync(20);
    await given;
    const next = cache.get();
    expect(loads).toHaveLength(2);
    loads[1]?.resolve('second');
    expect(await next).toBe('second');
    loads[0]?.resolve('late');
    await settle();
    expect(await cache.get()).toBe('second');
  });

  test('refreshes in the background in the fifth minute', async () => {
    const { cache, loads, at } = await loaded();
    at(239);
    expect(await cache.get()).toBe('first');
    expect(loads).toHaveLength(1);
    at(240);
    expect(await cache.get()).toBe('first');
    expect(await cache.get()).toBe('first');
    expect(loads).toHaveLength(2);
    loads[1]?.resolve('second');
    await settle();
    expect(await cache.get()).toBe('second');
  });

  test('keeps an old value while the source is down, and retries later', async () => {
    const { cache, loads, at, failures } = await loaded();
    at(1000);
    const get = cache.get();
    loads[1]?.reject(new Error('down'));
    expect(await get).toBe('first');
    expect(failures).toHaveLength(1);

    at(1009);
    expect(await cache.get()).toBe('first');
    expect(loads).toHaveLength(2);

    at(1010);
    const again = cache.get();
    expect(loads).toHaveLength(3);
    loads[2]?.resolve('third');
    expect(await again).toBe('third');
  });

  test('refresh loads immediately, but at most every ten seconds', async () => {
    const { cache, loads, at } = await loaded();
    at(9);
    expect(await cache.refresh()).toBe('first');
    expect(loads).toHaveLength(1);
    at(10);
    const refresh = cache.refresh();
    loads[1]?.resolve('second');
    expect(await refresh).toBe('second');
  });

  test('counts the age from the request, not from the response', async () => {
    const { cache, loads, at } = controlled();
    const first = cache.get();
    at(100);
    loads[0]?.resolve('first');
    await first;
    at(240);
    await cache.get();
    expect(loads).toHaveLength(2);
  });
});
