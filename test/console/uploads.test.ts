import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../cli/operations/clients.ts';
import { createFile } from '../../cli/operations/files.ts';
import { getUpload } from '../../cli/operations/uploads.ts';
import { fetchToken } from '../support/fetch-token.ts';
import { type RunningStack, startRunningStack } from '../support/running-stack.ts';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws, type TestConsole } from './support/serve.ts';
import { enter } from './support/visitor.ts';

closePagesAfterEach();

let console: ConsoleWithAws;
let number = 0;
let fileId: string;
let organisationId: string;

beforeAll(async () => {
  console = await startConsoleWithAws();
});
afterAll(() => console.stop());
beforeEach(async () => {
  number += 1;
  fileId = `file-${number}`;
  organisationId = `org-${number}`;
  await createFile(console.aws.deployment, { organisationId, name: 'Orders', syncEnabled: true, fileId });
});

const seed = (changes: Partial<Parameters<typeof seedUpload>[1]> = {}) =>
  seedUpload(console.aws, { fileId, organisationId, ...changes });

describe('uploads of a running service', () => {
  let stack: RunningStack;
  let served: TestConsole;

  beforeAll(async () => {
    stack = await startRunningStack();
    served = await startConsole(stack.deployment);
  });
  afterAll(async () => {
    await served?.stop();
    await stack?.close();
  });

  it('appear and complete before the eyes of the reader', async () => {
    const { deployment, baseUrl } = stack;
    const made = await createClient(deployment, {
      organisationId: 'acme',
      name: 'App',
      scopes: ['sync:create'],
    });
    await createFile(deployment, {
      organisationId: 'acme',
      name: 'Orders',
      syncEnabled: true,
      fileId: 'orders',
    });
    const page = await openPage(served, '/uploads');
    await page.getByText('There are no uploads yet.').waitFor();
    const token = await fetchToken(baseUrl, { clientId: made.client_id, clientSecret: made.client_secret });
    const answer = await fetch(`${baseUrl}/v0/files/orders/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await answer.json()) as { data: { upload_url: string } };
    const list = page.getByRole('region', { name: 'Uploads' });
    await list.getByText('issued', { exact: true }).waitFor();
    const life = await openPage(served, '/uploads');
    await life.getByRole('region', { name: 'Uploads' }).getByRole('link').first().click();
    await life.getByText('Waiting for the bytes').waitFor();
    expect((await fetch(data.upload_url, { method: 'PUT', body: 'id,amount\n' })).ok).toBe(true);
    await list.getByText('completed', { exact: true }).waitFor();
    await life.getByText('Content stored and recorded').waitFor();
    await life.getByText('This page is kept up to date').waitFor({ state: 'detached' });
    await expectAccessible(life);
  });
});

describe('a live list', () => {
  it('leaves the focus and what is shown alone while nothing changes', async () => {
    const id = await seed();
    const page = await openPage(console, `/uploads?file=${fileId}`);
    const link = page.getByRole('link', { name: id });
    await link.focus();
    await page.waitForResponse((response) => response.status() === 204);
    const another = await seed();
    await page.getByRole('link', { name: another }).waitFor();
    // The row was replaced, and the focus is where it was.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`${id}-uploads`);
  });

  it('leaves the message of a change to the page that the reader goes to', async () => {
    const id = await seed();
    const visitor = await enter(console);
    await visitor.submit(`/uploads/${id}/cancel`, `/uploads/${id}/cancel`);
    await visitor.get(`/uploads?file=${fileId}`, { 'x-console-live': '1' });
    expect((await visitor.get(`/uploads/${id}`)).text).toContain('The upload was cancelled.');
  });
});

describe('a list of uploads', () => {
  const idsOf = (text: string) =>
    [...text.matchAll(/<a class="id" id="([^"]+)-uploads"/g)].map(([, id]) => id);

  it.each(['file', 'organisation', 'client'])(
    'by %s is newest first, and pages through each once',
    async (by) => {
      const made = await createClient(console.aws.deployment, {
        organisationId,
        name: 'App',
        scopes: ['sync:create'],
      });
      const clientId = made.client_id;
      const ids: string[] = [];
      for (let index = 0; index < 55; index += 1) {
        ids.push(await seed({ clientId, minutesAgo: 100 - (index % 50) }));
      }
      const value = { file: fileId, organisation: organisationId, client: clientId }[by] ?? '';
      const filter = `${by}=${value}`;
      const visitor = await enter(console);
      const first = await visitor.get(`/uploads?${filter}`);
      expect(first.text).toContain('50 uploads, newest first.');
      const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const second = await visitor.get(next);
      expect(second.text).toContain('5 uploads, newest first, from an older page.');
      expect([...idsOf(first.text), ...idsOf(second.text)]).toEqual(ids.sort().reverse());
    },
  );

  it('is filtered by state and time, in the address, and the export has the same', async () => {
    const expired = await seed({ state: 'expired' });
    await seed({ state: 'completed', body: 'x', minutesAgo: 10 });
    const issued = await seed();
    const page = await openPage(console, `/uploads?file=${fileId}`);
    await page.getByLabel('State').selectOption('expired');
    await page.getByLabel('Issued from').fill('2h');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 upload, newest first.').waitFor();
    await page.getByRole('link', { name: expired }).waitFor();
    expect(page.url()).toContain('state=expired');
    const visitor = await enter(console);
    const ofFile = `file=${fileId}&state=issued`;
    expect(idsOf((await visitor.get(`/uploads?${ofFile}`)).text)).toEqual([issued]);
    const { text } = await visitor.get(`/uploads/export.json?${ofFile}`);
    expect(JSON.parse(text)).toMatchObject({ data: [{ upload_id: issued, state: 'issued' }] });
    expect((await visitor.get(`/uploads/export.csv?${ofFile}`)).text.trim().split('\n')).toHaveLength(2);
  });

  it('says what is wrong with a filter, and keeps it', async () => {
    const visitor = await enter(console);
    const answer = await visitor.get('/uploads?file=none&client=a/b&since=yesterday');
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('value="yesterday"');
    expect(answer.text).toContain('is not a client id');
    expect((await visitor.get('/uploads?file=none')).text).toContain('There is no file &quot;none&quot;.');
    const other = await visitor.get(`/uploads?file=${fileId}&organisation=another`);
    expect(other.text).toContain('This file is of another organisation.');
    expect((await visitor.get('/uploads/export.csv?file=none')).status).toBe(400);
  });

  it('stops a search for a rare state in time, and goes on from there', async () => {
    for (let index = 0; index < 3; index += 1) {
      await seed({ state: 'cancelled', minutesAgo: 30 - index });
    }
    const slow = await startConsole(console.aws.deployment, {});
    let calls = 0;
    const jumping = await startConsole(console.aws.deployment, {
      // Each look at the clock is a second later.
      now: () => {
        calls += 1;
        return Date.now() + calls * 1000;
      },
    });
    try {
      const visitor = await enter(jumping);
      const { text } = await visitor.get(`/uploads?file=${fileId}&state=completed`);
      expect(text).toContain('0 uploads found so far, newest first. Few match, so the search stopped');
      expect(text).toContain('rel="next"');
      const patient = await enter(slow);
      expect((await patient.get(`/uploads?file=${fileId}&state=completed`)).text).toContain(
        'No upload matches.',
      );
    } finally {
      await Promise.all([jumping.stop(), slow.stop()]);
    }
  });
});

describe('the life of an upload', () => {
  it.each([
    ['completed', { state: 'completed', body: 'x', minutesAgo: 5 }, 'It is the content of the file'],
    [
      'superseded',
      { state: 'completed', body: 'x', minutesAgo: 5, superseded: true },
      'Newer content of the file',
    ],
    ['cancelled', { state: 'cancelled', minutesAgo: 5 }, 'The URL was closed.'],
    ['expired a day ago', { state: 'expired', minutesAgo: 60 * 24 * 3 }, 'Nothing was recorded by then.'],
    ['expired an hour ago', { state: 'expired' }, 'A PUT may still be under way'],
    ['issued', {}, 'Waiting for the bytes'],
  ] as const)('%s is told', async (_, changes, told) => {
    const id = await seed(changes);
    const visitor = await enter(console);
    const { text } = await visitor.get(`/uploads/${id}`);
    expect(text).toContain(told);
    expect(text).toContain('Upload URL issued');
  });
});

describe('cancelling an upload', () => {
  it('names what it does, and the URL is closed', async () => {
    const id = await seed();
    const page = await openPage(console, `/uploads/${id}`);
    await page.getByRole('link', { name: 'Cancel the upload' }).click();
    await page.getByText('This cannot be undone').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel the upload' }).click();
    await page.getByText('The upload was cancelled. Its URL answers 412.').waitFor();
    expect((await getUpload(console.aws.deployment, id)).state).toBe('cancelled');
  });

  it('is refused when it is completed, cancelled by another operator, or its content has arrived', async () => {
    const visitor = await enter(console);
    const completed = await seed({ state: 'completed', body: 'x' });
    const refused = await visitor.get(`/uploads/${completed}/cancel`);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('was completed at');
    expect(refused.text).not.toContain('<button type="submit" class="danger"');

    const shared = await seed();
    const other = await enter(console);
    const [one, two] = await Promise.all(
      [visitor, other].map((operator) =>
        operator.submit(`/uploads/${shared}/cancel`, `/uploads/${shared}/cancel`),
      ),
    );
    expect([one?.status, two?.status]).toContain(303);
    expect((await getUpload(console.aws.deployment, shared)).state).toBe('cancelled');

    const arrived = await seed();
    console.aws.objects.set(`uploads/${arrived}`, { body: 'bytes' });
    const late = await visitor.submit(`/uploads/${arrived}/cancel`, `/uploads/${arrived}/cancel`);
    expect(late.status).toBe(422);
    expect(late.text).toContain('has already arrived');
    expect(late.text).toContain(`href="/uploads/${arrived}"`);
    expect((await visitor.get('/uploads/none')).status).toBe(404);
  });
});

describe('the dead-letter queue', () => {
  it('is counted and replayed, and what fails is named', async () => {
    const page = await openPage(console, '/uploads/replay');
    await page.getByText('The dead-letter queue is empty.').waitFor();
    console.aws.queue.set('event-1', '{}').set('event-2', '{}');
    console.aws.functions.set('record-upload', () => ({
      error: true,
      payload: { errorType: 'Error', errorMessage: 'still broken <b>' },
    }));
    await page.reload();
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText('2 events could not be recorded and stayed in the queue.').waitFor();
    await page.getByText('event-1 failed: still broken <b>').waitFor();
    await page.getByText('0 events replayed, 2 failed.').waitFor();
    await expectAccessible(page);
    console.aws.functions.set('record-upload', () => ({ payload: null }));
    await page.getByRole('link', { name: 'Go to the dead letters' }).click();
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText('2 events replayed, 0 failed.').waitFor();
    expect(console.aws.queue.size).toBe(0);
  });

  it('says what another replay may hold', async () => {
    console.aws.queue.set('event-3', '{}');
    console.aws.emptyReceives.count = 1000;
    try {
      const page = await openPage(console, '/uploads/replay');
      await page.getByRole('button', { name: 'Replay 1 event' }).click();
      await page.getByText('The queue is not empty. Replay again:').waitFor();
      await page.getByText('The queue counts 1 more event that it did not give out.').waitFor();
    } finally {
      console.aws.emptyReceives.count = 0;
      console.aws.queue.clear();
    }
  });
});
