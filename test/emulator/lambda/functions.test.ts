import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFunctions, type Functions } from '../../../emulator/lambda/functions.ts';
import { untoldDiskTrouble } from '../../../emulator/shared/disk-trouble.ts';
import { lambda, stack } from '../support/aws-services.ts';

const size = 4;

let directory: string;
let functions: Functions;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'emulator-functions-'));
  writeFileSync(
    join(directory, 'index.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs';
     import { threadId } from 'node:worker_threads';
     export const handler = ({ gate }) => {
       writeFileSync(\`\${gate}.\${threadId}\`, '');
       return new Promise((resolve) => {
         const timer = setInterval(() => {
           if (existsSync(gate)) {
             clearInterval(timer);
             resolve(threadId);
           }
         }, 5);
       });
     };`,
  );
  functions = createFunctions({
    disk: untoldDiskTrouble,
    resources: [lambda('Fn', { MemorySize: 128, Timeout: 30 })],
    stack,
    assetDirectory: () => directory,
    awsEndpoint: 'http://127.0.0.1:1',
    credentialsForRole: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
    mayWriteLogs: () => true,
    onTraced: () => undefined,
    stateDirectory: directory,
    logDirectory: directory,
    onError: () => undefined,
    recordMetric: () => undefined,
    log: () => undefined,
    promptEnvironments: size,
    reservedConcurrency: () => undefined,
  });
});

afterEach(async () => {
  vi.useRealTimers();
  await functions.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Invocations that end when all of them have begun, so that each needs a worker of its own. @returns the workers */
async function burst(name: string): Promise<Set<unknown>> {
  const invocations = Array.from({ length: size }, () =>
    functions.invoke('test-Fn', { gate: join(directory, name) }),
  );
  const begun = () => readdirSync(directory).filter((file) => file.startsWith(`${name}.`));
  // The timers that a poll would use are faked.
  while (begun().length < size) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  writeFileSync(join(directory, name), '');
  const results = await Promise.all(invocations);
  return new Set(results.map((result) => result.ok && result.payload));
}

it('keeps two workers of a function when a burst is over, and all of them until then', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = await burst('first');
  expect(first.size).toBe(size);
  await vi.advanceTimersByTimeAsync(2900);
  expect(await burst('second')).toEqual(first);
  await vi.advanceTimersByTimeAsync(3000);
  const third = await burst('third');
  expect([...third].filter((worker) => first.has(worker))).toHaveLength(2);
});
