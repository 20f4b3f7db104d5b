import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateClientSecret } from '../../../storage/client-secret.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';

/** The local run tells nobody of an alarm, and says whom AWS would tell. */

let run: LocalRun;
beforeAll(async () => {
  run = await startLocalRun({ context: { alarmEmail: 'on-call@example.com' } });
});
afterAll(() => run?.stop());

const notifications = async () =>
  (await readFile(join(run.stateDirectory, 'notifications.jsonl'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { subject: string; message: string; sent_to: unknown });

test('the terminal and a file say what an alarm would have told, and whom', async () => {
  // Every new alarm is well at first, which AWS tells too. That is no news for the terminal.
  await expect.poll(notifications, { timeout: 30_000 }).toHaveLength(9);
  expect(run.stderr()).not.toContain('AWS would now tell');

  setFaults(run.stateDirectory, { dynamodb: 'failing' });
  // Only for a secret of the right form does the function ask who the client is.
  const client_secret = generateClientSecret(randomBytes);
  const { status } = await fetch(`${run.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody', client_secret }),
  });
  expect(status).toBe(500);
  const told =
    /AWS would now tell on-call@example\.com: ALARM: "file-sync-prod-AlarmsServerErrors\w+" in us-east-1/;
  await expect.poll(() => run.stderr(), { timeout: 30_000 }).toMatch(told);

  const last = (await notifications()).at(-1);
  expect(last).toMatchObject({
    subject: expect.stringMatching(/^ALARM: "file-sync-prod-AlarmsServerErrors/),
    sent_to: [{ protocol: 'email', endpoint: 'on-call@example.com' }],
  });
  expect(JSON.parse(last?.message ?? '')).toMatchObject({
    NewStateValue: 'ALARM',
    OldStateValue: 'OK',
    AlarmDescription: expect.stringContaining('Runbook: docs/runbooks.md#servererrors'),
  });
}, 120_000);
