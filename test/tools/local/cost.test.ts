import { readFile } from 'node:fs/promises';
import type { AwsCall } from 'cloud-assembly-emulator';
import { figure } from '../../../tools/generate/capacity.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/**
 * Counts the AWS calls of each operation, and compares them with docs/cost.md. That page multiplies the calls
 * by list prices, so a test fails if the page is out of date.
 */

/** US dollars per million, in us-east-1. S3 sends an event for each PUT and DELETE. */
const prices = {
  'API requests': 1,
  'S3 HEAD or GET': 0.4,
  'S3 events': 1,
  'bus events': 1,
  'read units': 0.125,
  'write units': 0.625,
} as const;

type Priced = keyof typeof prices;

/**
 * US dollars per million operations, for Lambda's requests and time. The times are in milliseconds;
 * docs/cost.md describes their measurement.
 */
const lambda = {
  token: request(0.95, 1, 1024),
  volumes: request(0.46, 0, 1024),
  sync: request(2.66, 3, 1024),
  first: request(3.4, 6, 512),
  replacement: request(3.6, 7, 512) + reconciliation('replacing'),
  unused: reconciliation('unused'),
};

function request(cpu: number, callsInTurn: number, memory: number): number {
  return 0.2 + timeCosts(cpu * 1_769 + (3 * callsInTurn + 0.5) * memory);
}

/**
 * Returns the Lambda costs of the reconciliation. Checks of uploads run concurrently, so only their CPU time
 * counts.
 */
function reconciliation(kind: string): number {
  return timeCosts(figure('reconciliation', kind) * 1_769);
}

/** Returns US dollars per million operations. A million GB-seconds cost $13.3334. */
function timeCosts(megabyteMilliseconds: number): number {
  return (megabyteMilliseconds / 1024) * 0.0133334;
}

/** Priced units of each operation. AssumeRole and the DELETE request itself are free. */
const operations: Readonly<Record<string, readonly Priced[]>> = {
  HeadObject: ['S3 HEAD or GET'],
  GetObjectTagging: ['S3 HEAD or GET'],
  PutObject: ['S3 events'],
  DeleteObject: ['S3 events'],
  AssumeRole: [],
  PutEvents: ['bus events'],
};

let calls: AwsCall[] = [];

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

const stack = await useRunningStack({ onCall: (call) => calls.push(call) });
const user = await createApiUser(stack);
// The functions read their keys before the count begins.
await user.store('first');
await stack.runSchedules(inHours(0));
beforeEach(() => {
  calls = [];
});

/** Counts the priced units of the calls, without the queries for due uploads, which belong to each run. */
function counted(requests = 0): ReadonlyMap<Priced, number> {
  const counts = new Map<Priced, number>(requests > 0 ? [['API requests', requests]] : []);
  const add = (what: Priced, count: number) => counts.set(what, (counts.get(what) ?? 0) + count);
  for (const { service, operation, caller, units = 0 } of calls) {
    if (caller === 'operator' || operation === 'Query' || service === 'logs') {
      continue;
    }
    if (service === 'dynamodb') {
      add(operation.endsWith('GetItem') ? 'read units' : 'write units', units);
    } else {
      for (const what of operations[operation] ?? expect.fail(`${operation} has no price here`)) {
        add(what, 1);
      }
    }
  }
  return counts;
}

/**
 * Checks a row of docs/cost.md: the priced units, their cost, and the cost with Lambda.
 *
 * @returns US dollars per million, with Lambda
 */
async function expectRow(name: string, counts: ReadonlyMap<Priced, number>, lambdaCosts: number) {
  const order = Object.keys(prices) as Priced[];
  const what = order.flatMap((one) => {
    const count = counts.get(one);
    return count === undefined ? [] : [`${count} ${count === 1 ? one.replace(/s$/, '') : one}`];
  });
  const cost = order.reduce((sum, one) => sum + prices[one] * (counts.get(one) ?? 0), 0);
  const dollars = (value: number) => `$${(Math.round(value * 100 + 1e-6) / 100).toFixed(2)}`;
  const row = `| ${name} | ${what.join(', ')} | ${dollars(cost)} | ${dollars(cost + lambdaCosts)} |`;
  const page = await readFile('docs/cost.md', 'utf8');
  expect(page.split('\n')).toContain(row);
  return cost + lambdaCosts;
}

test('a token', async () => {
  expect((await user.requestToken()).status).toBe(200);
  await expectRow('token', counted(1), lambda.token);
});

test('a list of volumes', async () => {
  expect((await user.volumes()).status).toBe(200);
  // The function reads the key set once, and then caches it.
  calls = calls.filter(({ operation }) => operation !== 'GetSecretValue');
  await expectRow('list of volumes', counted(1), lambda.volumes);
});

test('an upload URL', async () => {
  const fileId = await user.newFile();
  calls = [];
  expect((await user.sync(fileId)).status).toBe(200);
  expect(await expectRow('upload URL', counted(1), lambda.sync)).toBeLessThanOrEqual(4.64);
});

test('the first upload of a file', async () => {
  const { put } = await user.issue();
  calls = [];
  expect((await put('content')).status).toBe(200);
  await stack.eventsSettled();
  expect(await expectRow('recorded upload', counted(), lambda.first)).toBeLessThanOrEqual(5.08);
});

test('an upload that replaces content, and the deletion of that', async () => {
  const fileId = await user.newFile();
  await user.store('replaced', fileId);
  await stack.runSchedules(inHours(26));
  const { put } = await user.issue(fileId);
  calls = [];
  expect((await put('content')).status).toBe(200);
  await stack.eventsSettled();
  // The earlier uploads are no longer due.
  await stack.runSchedules(inHours(26));
  const name = 'recorded upload that replaces content, with the later deletion of the old content';
  expect(await expectRow(name, counted(), lambda.replacement)).toBeLessThanOrEqual(9.26);
});

test('an unused upload URL', async () => {
  await stack.runSchedules(inHours(30));
  await user.issue();
  calls = [];
  await stack.runSchedules(inHours(2));
  await stack.runSchedules(inHours(26));
  expect(await expectRow('upload URL that nobody uses', counted(), lambda.unused)).toBeLessThanOrEqual(5.33);
});
