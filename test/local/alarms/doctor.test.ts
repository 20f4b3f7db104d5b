import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultyStack, startFaultyStack } from '../../support/alarm-faults/faulty-stack.ts';
import { admin } from '../../support/run-admin.ts';

let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack();
  await faulty.evaluate();
}, 60_000);
afterAll(() => faulty?.close());

const doctor = async () => (await admin(faulty.stack.deployment, ['--local', 'doctor'])).stdout;

test('the doctor says which alarms are raised, and what to do', async () => {
  expect(await doctor()).toMatch(/^ok +alarms /m);
  const url = await faulty.issueUrl();
  faulty.setFaults({ dynamodb: 'failing' });
  await faulty.upload(url);
  await faulty.evaluate();
  expect(await doctor()).toMatch(/^FAIL +alarms +2 alarms raised: .*replay the dead letters/m);
});
