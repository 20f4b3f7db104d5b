import { afterEach, describe, expect, test } from 'vitest';
import { readAlarms } from '../../cli/operations/alarms.ts';
import { createClient } from '../../cli/operations/clients.ts';
import { createFile } from '../../cli/operations/files.ts';
import { setFaults } from '../../emulator/endpoint/faults.ts';
import { admin } from '../support/run-admin.ts';
import { type RunningStack, type RunningStackOptions, startRunningStack } from '../support/running-stack.ts';

/** Each alarm of the template goes off by the fault that it is for, and no other does. */

let stack: RunningStack;
afterEach(() => stack?.close());

async function start(options: RunningStackOptions = {}): Promise<void> {
  stack = await startRunningStack(options);
  await stack.evaluateAlarms(new Date());
  expect(await raised()).toEqual([]);
}

/** Logical IDs of the alarms that are raised, without their hash. */
async function raised(): Promise<readonly string[]> {
  await stack.evaluateAlarms(new Date());
  const alarms = await readAlarms(stack.deployment);
  return alarms
    .filter(({ state }) => state === 'alarm')
    .map(({ name }) => name.replace(/^.*-Alarms(.*).{8}$/, '$1'));
}

async function issueUrl(): Promise<string> {
  const { client_id, client_secret } = await createClient(stack.deployment, {
    organisationId: 'acme',
    name: 'Test',
    scopes: ['sync:create'],
  });
  const { file_id } = await createFile(stack.deployment, {
    organisationId: 'acme',
    name: 'f.bin',
    syncEnabled: true,
  });
  const granted = await requestToken({ client_id, client_secret });
  const { access_token } = (await granted.json()) as { access_token: string };
  const answer = await fetch(`${stack.baseUrl}/v0/files/${file_id}/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
  });
  return ((await answer.json()) as { data: { upload_url: string } }).data.upload_url;
}

function requestToken(credentials: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials });
  return fetch(`${stack.baseUrl}/oauth/token`, { method: 'POST', body });
}

describe('an alarm of the stack goes off', () => {
  test('when an upload arrives and cannot be recorded', async () => {
    await start();
    const url = await issueUrl();
    setFaults(stack.stateDirectory, { dynamodb: 'failing' });
    await fetch(url, { method: 'PUT', body: 'content' });
    await stack.eventsSettled();
    expect(await raised()).toEqual(['EventsDropped', 'UploadsInTrouble', 'UploadsNotRecorded']);
    const doctor = await admin(stack.deployment, ['--local', 'doctor']);
    expect(doctor.stdout).toMatch(/^FAIL +alarms +2 alarms raised: .*replay the dead letters/m);
  });

  test('when an upload URL is used twice', async () => {
    await start({ anomalies: { ignoresIfNoneMatch: true } });
    const url = await issueUrl();
    for (const body of ['first', 'second']) {
      await fetch(url, { method: 'PUT', body });
      await stack.eventsSettled();
    }
    expect(await raised()).toEqual(['SecondVersions']);
  });

  test('when the API answers with server errors', async () => {
    await start();
    setFaults(stack.stateDirectory, { dynamodb: 'failing' });
    const { client_secret } = await createClient(stack.deployment, {
      organisationId: 'acme',
      name: 'Test',
      scopes: ['sync:create'],
    });
    // One is enough: it is more than one in a hundred.
    const { status } = await requestToken({ client_id: 'acme', client_secret });
    expect(status).toBe(500);
    expect(await raised()).toEqual(['ApiInTrouble', 'ServerErrors']);
  });
});
