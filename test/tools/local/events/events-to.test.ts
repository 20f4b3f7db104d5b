import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BusEvent } from 'cloud-assembly-emulator';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { expect, test } from 'vitest';
import { localDeployment } from '../../../../tools/operator/deployment/local-deployment.ts';
import { createApiUser } from '../../../support/api-user.ts';
import { startLocalRun } from '../../../support/local-run.ts';
import { startConsumer } from './consumer.ts';

test('npm start -- --events-to sends each event that its file has', async () => {
  const { received, url } = await startConsumer(() => 204);
  const run = await startLocalRun({ flags: ['--no-console', '--events-to', url] });
  atEnd(run.stop);
  const deployment = await localDeployment(run.stateDirectory);
  const { issue } = await createApiUser({ deployment, baseUrl: run.baseUrl });
  expect((await (await issue()).put('content')).status).toBe(200);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
  const path = join(run.stateDirectory, 'events.jsonl');
  const event = JSON.parse(await readFile(path, 'utf8')) as BusEvent;
  expect(event).toMatchObject({ source: 'file-sync-api', 'detail-type': 'Upload Completed' });
  expect(received).toMatchObject([{ body: event }]);
  // The query may hold a key, so no line shows it.
  const shown = url.replace('?of=uploads', '?...');
  expect(run.stdout()).toContain(`Events of uploads are appended to ${path}, and sent to ${shown}\n`);
}, 120_000);
