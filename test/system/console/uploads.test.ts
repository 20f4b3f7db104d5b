import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../../tools/operator/clients.ts';
import { createFile } from '../../../tools/operator/files.ts';
import { getUpload } from '../../../tools/operator/uploads.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { closePagesAfterEach, openPage } from '../../tools/console/support/browser.ts';
import { seedUpload } from '../../tools/console/support/seed-uploads.ts';
import {
  type ConsoleWithAws,
  startConsole,
  startConsoleWithAws,
  type TestConsole,
} from '../../tools/console/support/serve.ts';
import { enter } from '../../tools/console/support/visitor.ts';

closePagesAfterEach();

let console: ConsoleWithAws;

beforeAll(async () => {
  console = await startConsoleWithAws();
  const file = { organisationId: 'acme', name: 'Orders', syncEnabled: true, fileId: 'orders' };
  await createFile(console.aws.deployment, file);
});
afterAll(() => console.stop());

const seed = (changes: Partial<Parameters<typeof seedUpload>[1]> = {}) =>
  seedUpload(console.aws, { fileId: 'orders', ...changes });
const stateOf = async (id: string) => (await getUpload(console.aws.deployment, id)).state;

describe('uploads of a running service', () => {
  let stack: RunningStack;
  let served: TestConsole;

  beforeAll(async () => {
    stack = await startRunningStack();
    served = await startConsole(stack.deployment);
  }, 60_000);
  afterAll(async () => {
    await served?.stop();
    await stack?.close();
  });

  it('appear and complete before the eyes of the reader', async () => {
    const { deployment, baseUrl } = stack;
    const ofAcme = { organisationId: 'acme', name: 'App' };
    const client = await createClient(deployment, { ...ofAcme, scopes: ['sync:create'] });
    await createFile(deployment, { ...ofAcme, syncEnabled: true, fileId: 'orders' });
    const page = await openPage(served, '/uploads');
    await page.getByText('There are no uploads yet.').waitFor();
    const { client_id: clientId, client_secret: clientSecret } = client;
    const token = await fetchToken(baseUrl, { clientId, clientSecret });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${baseUrl}/v0/files/orders/sync`, { method: 'POST', headers });
    const { data } = (await answer.json()) as { data: { upload_url: string } };
    const list = page.getByRole('region', { name: 'Uploads' });
    await list.getByText('issued', { exact: true }).waitFor();
    const life = await openPage(served, '/uploads');
    await life.getByRole('region', { name: 'Uploads' }).getByRole('link').first().click();
    await life.getByText('Waiting for the bytes').waitFor();
    expect((await fetch(data.upload_url, { method: 'PUT', body: 'id,amount\n' })).ok).toBe(true);
    await list.getByText('completed', { exact: true }).waitFor();
    await life.getByText('It is the content of the file.').waitFor();
    await life.getByText('This page is kept up to date').waitFor({ state: 'detached' });
  });
});

describe('an upload', () => {
  it('says what is true of it', async () => {
    const visitor = await enter(console);
    const states = [
      [{ state: 'completed', body: 'x', minutesAgo: 5 }, 'It is the content of the file'],
      [{ state: 'completed', body: 'x', superseded: true }, 'Newer content of the file'],
      [{ state: 'cancelled', minutesAgo: 5 }, 'The URL was closed.'],
      [{ state: 'expired', minutesAgo: 60 * 24 * 3 }, 'Nothing was recorded before'],
      [{ state: 'expired' }, 'may still be under way'],
      [{}, 'Waiting for the bytes'],
    ] as const;
    for (const [changes, told] of states) {
      expect((await visitor.get(`/uploads/${await seed(changes)}`)).text).toContain(told);
    }
    expect((await visitor.get('/uploads/none')).status).toBe(404);
  });

  it('is cancelled after a confirmation, and a live part leaves the message to the next page', async () => {
    const id = await seed();
    const page = await openPage(console, `/uploads/${id}`);
    await page.getByRole('link', { name: 'Cancel the upload' }).click();
    await page.getByText('This cannot be undone').waitFor();
    expect(await stateOf(id)).toBe('issued');
    await page.getByRole('button', { name: 'Cancel the upload' }).click();
    await page.getByText('The upload was cancelled. Its URL answers 412.').waitFor();
    expect(await stateOf(id)).toBe('cancelled');
    const [visitor, another] = [await enter(console), await seed()];
    await visitor.submit(`/uploads/${another}/cancel`, `/uploads/${another}/cancel`);
    await visitor.get('/uploads', { 'x-console-live': '1' });
    expect((await visitor.get('/uploads')).text).toContain('The upload was cancelled.');
  });

  it('is not cancelled when it is completed', async () => {
    const visitor = await enter(console);
    const refused = await visitor.get(`/uploads/${await seed({ state: 'completed', body: 'x' })}/cancel`);
    expect([refused.status, refused.text.includes('was completed at')]).toEqual([422, true]);
  });
});

describe('the dead-letter queue', () => {
  it('is counted and replayed, and what fails is named', async () => {
    const page = await openPage(console, '/uploads/replay');
    await page.getByText('The dead-letter queue is empty.').waitFor();
    console.aws.queue.set('event-1', '{}').set('event-2', '{}');
    const failure = { errorType: 'Error', errorMessage: 'still broken <b>' };
    console.aws.functions.set('record-upload', () => ({ error: true, payload: failure }));
    await page.reload();
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText('2 events could not be recorded and stayed in the queue.').waitFor();
    await page.getByText('event-1 failed: still broken <b>').waitFor();
    console.aws.functions.set('record-upload', () => ({ payload: null }));
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText('2 events replayed, 0 failed.').waitFor();
    expect(console.aws.queue.size).toBe(0);
  });
});
