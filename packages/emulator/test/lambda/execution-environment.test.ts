import { isAbsolute, relative } from 'node:path';
import type { EnvironmentOptions, ExecutionEnvironment } from '../../lambda/execution-environment.ts';
import { writeWorkerProgram } from '../../lambda/worker-program.ts';
import { createClock } from '../../shared/clock.ts';
import { createBundles } from '../support/bundles.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bundles = await createBundles();

async function start(
  source: string,
  options: Partial<EnvironmentOptions> = {},
): Promise<ExecutionEnvironment> {
  const environment = bundles.start(source, options);
  expect(await environment.loaded).toBeUndefined();
  return environment;
}

it('has a program with an absolute path in a relative state folder', async () => {
  const folder = relative('.', await temporaryFolder());
  expect(isAbsolute(writeWorkerProgram(folder))).toBe(true);
});

describe('a function in its worker', () => {
  it('receives and returns JSON, and reads only its own variables', async () => {
    const environment = await start(
      'export const handler = async (event) => ({ got: event, at: new Date(0), sees: process.env });',
    );
    expect(await environment.invoke({ a: [1] })).toEqual({
      ok: true,
      payload: { got: { a: [1] }, at: '1970-01-01T00:00:00.000Z', sees: { OWN: 'value' } },
    });
  });

  it('follows a clock that a test moves ahead, in every Date', async () => {
    const source = `export const handler = async () => ({
      times: [Date.now(), new Date().getTime(), Date.parse(Date())],
      fixed: new Date(5).getTime(),
      parts: new Date(2026, 0, 1) instanceof Date,
    });`;
    const clock = createClock();
    const environment = await start(source, { ahead: clock.ahead, now: clock.now });
    clock.advance(100 * 86_400_000);
    const before = clock.now();

    const { payload } = (await environment.invoke({})) as { payload: { times: number[] } };

    // Date() returns no milliseconds.
    const isNow = expect.toSatisfy((time: number) => time > before - 1000 && time <= clock.now());
    expect(payload).toMatchObject({ times: [isNow, isNow, isNow], fixed: 5, parts: true });
  });

  it('logs the line of its runtime after an error', async () => {
    const lines: string[] = [];
    const environment = await start('export const handler = async () => { throw new TypeError("no"); };', {
      onLine: (line) => lines.push(line),
    });
    expect(await environment.invoke({})).toEqual({
      ok: false,
      error: { errorType: 'TypeError', errorMessage: 'no', trace: expect.arrayContaining(['TypeError: no']) },
    });
    await environment.close();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'ERROR', message: { errorType: 'TypeError' } });
    expect(environment.isAlive()).toBe(false);
  });
});

it('the lines of a function arrive complete before the response', async () => {
  const lines: string[] = [];
  const source = `
    export const handler = async () => {
      process.stdout.write('be');
      console.error('an error');
      const [first, second] = [Buffer.from('gun €\\r\\n').subarray(0, 5), Buffer.from('gun €\\r\\n').subarray(5)];
      process.stdout.write(first);
      process.stdout.write(second);
      process.stdout.write('\\nwithout end');
    };`;
  const environment = await start(source, { onLine: (line) => lines.push(line) });
  await environment.invoke({});
  expect(lines).toEqual(['an error', 'begun €', '']);
  await environment.close();
  expect(lines.at(-1)).toBe('without end');
});

it('a function that ends with the emulator logs nothing', async () => {
  const lines: string[] = [];
  const source = 'export const handler = () => new Promise(() => setInterval(() => {}, 1000));';
  const environment = await start(source, { onLine: (line) => lines.push(line) });
  const response = environment.invoke({});
  await environment.close();
  expect(await response).toMatchObject({ ok: false, error: { errorType: 'Runtime.ExitError' } });
  expect(lines).toEqual([]);
});

describe('a function that fails', () => {
  it('is ended after its timeout, which its log records', async () => {
    const lines: string[] = [];
    const environment = await start(
      'export const handler = () => new Promise(() => setInterval(() => {}, 1000));',
      {
        timeoutMilliseconds: 50,
        onLine: (line) => lines.push(line),
      },
    );
    const result = await environment.invoke({});
    expect(result).toMatchObject({
      ok: false,
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: expect.stringContaining('timed out after 0.05 seconds'),
      },
    });
    expect(environment.isAlive()).toBe(false);
    expect(lines.join()).toContain('Sandbox.Timedout');
  });

  it('is reported after an uncaught error', async () => {
    const environment = await start(
      'export const handler = () => { setTimeout(() => { throw new Error("late"); }); return new Promise(() => {}); };',
    );
    expect(await environment.invoke({})).toMatchObject({ ok: false, error: { errorMessage: 'late' } });
    await environment.ended;
    expect(environment.isAlive()).toBe(false);
  });
});
