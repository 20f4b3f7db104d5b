import type { ExecutionEnvironment } from '../../lambda/execution-environment.ts';
import { createFunctionPool, type FunctionPoolOptions } from '../../lambda/function-pool.ts';
import type { InvokeResult } from '../../lambda/invoke.ts';
import type { WorkerError } from '../../lambda/worker-program.ts';

/** An environment that ends an invocation on command of the test. */
class ControlledEnvironment implements ExecutionEnvironment {
  readonly loaded: Promise<WorkerError | undefined>;
  readonly ended: Promise<void>;
  finish: (result?: InvokeResult) => void = () => undefined;
  payloads: unknown[] = [];
  private alive = true;
  private end: () => void = () => undefined;

  constructor(error?: WorkerError) {
    this.loaded = Promise.resolve(error);
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    if (error) {
      void this.close();
    }
  }

  isAlive = () => this.alive;

  invoke = (payload: unknown) => {
    this.payloads.push(payload);
    return new Promise<InvokeResult>((resolve) => {
      this.finish = (result = { ok: true, payload }) => resolve(result);
    });
  };

  close = async () => {
    this.alive = false;
    this.end();
  };
}

function createPool(options: Partial<FunctionPoolOptions> = {}) {
  const environments: ControlledEnvironment[] = [];
  const pool = createFunctionPool({
    start: () => {
      const environment = new ControlledEnvironment();
      environments.push(environment);
      return environment;
    },
    maxEnvironments: 2,
    idleMilliseconds: 60_000,
    ...options,
  });
  return { pool, environments };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a pool of execution environments', () => {
  it.for([
    ['is counted', false, [[false]]],
    ['is not counted if the end of the pool interrupts it', true, []],
  ] as const)('with a failed invocation, which %s', async ([, isEnding, counted]) => {
    const onInvoked = vi.fn();
    const { pool, environments } = createPool({ onInvoked });
    void pool.invoke({});
    await settled();
    if (isEnding) {
      void pool.close();
    }
    environments[0]?.finish({ ok: false, error: { errorType: 'Runtime.ExitError', errorMessage: '' } });
    await settled();
    expect(onInvoked.mock.calls).toEqual(counted);
  });

  it('grows with demand up to its maximum; other invocations wait', async () => {
    const { pool, environments } = createPool();
    const results = ['a', 'b', 'c'].map((payload) => pool.invoke(payload));
    await settled();
    expect(environments.map((environment) => environment.payloads)).toEqual([['a'], ['b']]);
    environments[0]?.finish();
    await settled();
    expect(environments[0]?.payloads).toEqual(['a', 'c']);
    environments[0]?.finish();
    environments[1]?.finish();
    expect(await Promise.all(results)).toHaveLength(3);
  });

  it('replaces an environment that ended', async () => {
    const { pool, environments } = createPool();
    const first = pool.invoke('a');
    await settled();
    await environments[0]?.close();
    environments[0]?.finish({ ok: false, error: { errorType: 'Runtime.ExitError', errorMessage: '' } });
    expect(await first).toMatchObject({ ok: false });
    const second = pool.invoke('b');
    await settled();
    environments[1]?.finish();
    expect(await second).toMatchObject({ ok: true });
  });

  it('loads a bundle again after returning its error', async () => {
    const error = { errorType: 'SyntaxError', errorMessage: 'x' };
    const start = vi.fn(() => new ControlledEnvironment(error));
    const { pool } = createPool({ start });
    expect(await pool.invoke('a')).toEqual({ ok: false, error });
    expect(await pool.invoke('b')).toEqual({ ok: false, error });
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('ends an idle environment', async () => {
    const { pool, environments } = createPool({ idleMilliseconds: 5 });
    const result = pool.invoke('a');
    await settled();
    environments[0]?.finish();
    await result;
    await environments[0]?.ended;
    expect(environments[0]?.isAlive()).toBe(false);
  });

  it('assigns no invocation to an ending environment', async () => {
    const { pool, environments } = createPool();
    const first = pool.invoke('a');
    await settled();
    environments[0]?.finish();
    await first;
    // A thread ends after some time, and is alive until then.
    vi.spyOn(environments[0] as ControlledEnvironment, 'close').mockReturnValue(new Promise(() => undefined));
    void pool.endIdleEnvironments();
    void pool.invoke('b');
    await settled();
    expect(environments.map(({ payloads }) => payloads)).toEqual([['a'], ['b']]);
  });
});
