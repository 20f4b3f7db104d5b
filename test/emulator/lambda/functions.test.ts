import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFunctions, type Functions } from '../../../emulator/lambda/functions.ts';
import { createDiskTrouble } from '../../../emulator/shared/disk-trouble.ts';
import { lambda, stack } from '../support/aws-services.ts';

let directory: string;
let functions: Functions;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'emulator-functions-'));
  writeFileSync(
    join(directory, 'index.mjs'),
    `import { threadId } from 'node:worker_threads';
     export const handler = () => new Promise((resolve) => setTimeout(() => resolve(threadId), 100));`,
  );
  functions = createFunctions({
    disk: createDiskTrouble('here', () => undefined),
    resources: [lambda('Fn', { MemorySize: 128, Timeout: 30 })],
    stack,
    assetDirectory: () => directory,
    awsEndpoint: 'http://127.0.0.1:1',
    credentialsForRole: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
    mayWriteLogs: () => true,
    stateDirectory: directory,
    logDirectory: directory,
    onError: () => undefined,
    now: Date.now,
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await functions.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Invokes the function so often that every one of its workers is needed. @returns the workers */
async function burst(): Promise<Set<unknown>> {
  const results = await Promise.all(Array.from({ length: 40 }, () => functions.invoke('test-Fn', {})));
  return new Set(results.map((result) => result.ok && result.payload));
}

it('keeps two workers of a function when a burst is over, and all of them until then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = await burst();
  expect(first.size).toBeGreaterThan(3);
  await vi.advanceTimersByTimeAsync(2900);
  const second = await burst();
  expect([...second]).toEqual(expect.arrayContaining([...first]));
  await vi.advanceTimersByTimeAsync(3000);
  const third = await burst();
  expect([...third].filter((worker) => second.has(worker))).toHaveLength(2);
});
