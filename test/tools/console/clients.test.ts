import { describe, expect, test } from 'vitest';
import { readClients } from '../../../tools/operator/clients/client.ts';
import { addSecret } from '../../../tools/operator/clients/secrets.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';
import { seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter, tokenOf } from './support/visitor.ts';

closePagesAfterEach();

const console = await startConsoleWithAws();
const visitor = await enter(console);

const seed = async (name: string) => (await seedClient(console.aws.deployment, name)).client_id;

describe('a client', () => {
  test('is created, and the secret is shown once and copied', async () => {
    const page = await openPage(console, '/clients');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('There are no clients to show.').waitFor();
    await page.getByRole('link', { name: 'Create a client' }).click();
    await page.getByLabel('Organisation').fill('acme');
    await page.getByLabel('Name').fill('Nightly export');
    await page.getByRole('button', { name: 'Create a client' }).click();
    // Nothing of the input is lost.
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('at least one');
    expect(await page.getByLabel('Name').inputValue()).toBe('Nightly export');
    await page.getByLabel('volume:read').check();
    await page.getByRole('button', { name: 'Create a client' }).click();
    await page.getByText('Save the client secret now.').waitFor();
    await page.getByRole('heading', { name: 'Nightly export' }).waitFor();
    const lines = (await page.locator('pre').textContent()) ?? '';
    const secret = /^export FILE_SYNC_CLIENT_SECRET=(fss_.*)$/m.exec(lines)?.[1] ?? '';
    const copied = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await page.locator('[data-done="Copied"]').waitFor();
      await page.locator('[data-done="Copied"]').waitFor({ state: 'detached' });
      return page.evaluate('navigator.clipboard.readText()');
    };
    expect(await copied('Copy all')).toBe(lines);
    expect(await copied('Copy for .env')).toBe(lines.replaceAll('export ', ''));
    expect(await copied('Copy the secret')).toBe(secret);
    // Nothing of it stays in the browser.
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location, history.state])',
    );
    expect(kept).not.toContain(secret);
    await page.reload();
    await page.getByRole('heading', { name: 'Nightly export' }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test('is created once by a form that is sent ten times', async () => {
    const form = '/clients/+create';
    const token = tokenOf((await visitor.get(form)).text, form);
    const fields = { token, organisation: 'ten-clicks', name: 'Ten clicks', scope: 'volume:read' };
    const send = () => visitor.post(form, String(new URLSearchParams(fields)));
    const places = (await Promise.all(Array.from({ length: 10 }, send))).map(
      ({ headers }) => headers.location,
    );
    const { entries } = await readClients(
      console.aws.deployment,
      { organisation: 'ten-clicks' },
      { enough: 10 },
    );
    expect(entries).toHaveLength(1);
    expect(new Set(places)).toEqual(new Set([`/clients/${entries[0]?.client_id}`]));
    expect((await visitor.get(places[0] ?? '')).text).toContain('FILE_SYNC_CLIENT_SECRET=');
  });

  test('keeps the message with a new secret for its own page', async () => {
    const id = await seed('Message');
    await visitor.submit(`/clients/${id}`, `/clients/${id}/add-secret`);
    expect((await visitor.get('/clients')).text).not.toContain('FILE_SYNC_CLIENT_SECRET=');
    expect((await visitor.get(`/clients/${id}`)).text).toContain('FILE_SYNC_CLIENT_SECRET=');
  });

  test('has a link to remove each of its secrets when it has two', async () => {
    const { client_id: id, secret_id: first } = await seedClient(console.aws.deployment, 'Two secrets');
    const removal = `/clients/${id}/remove-secret`;
    const links = async () => {
      const { text } = await visitor.get(`/clients/${id}`);
      return [...text.matchAll(/href="[^"]+remove-secret\?secretId=([^"]+)"/g)].map(([, secret]) => secret);
    };
    expect(await links()).toEqual([]);
    const { secret_id: second } = await addSecret(console.aws.deployment, id);
    expect(await links()).toEqual([first, second]);
    const { text } = await visitor.get(`${removal}?secretId=${second}`);
    expect(text).toContain(`value="${second}"`);
  });

  test.for(['revoke', 'rotate-secret'])('is named on the page of its action %s', async (verb) => {
    const { text } = await visitor.get(`/clients/${await seed('Before')}/${verb}`);
    expect(text).toMatch(/the (client|secret): Before<\/bdi><\/h1>/);
  });

  test('shows its last uploads', async () => {
    const id = await seed('Uploads');
    for (let minutesAgo = 1; minutesAgo <= 10; minutesAgo += 1) {
      await seedUpload(console.aws, { fileId: `file-${minutesAgo}`, clientId: id, minutesAgo });
      await seedUpload(console.aws, { fileId: 'other', clientId: 'client_other', minutesAgo });
    }
    const { text } = await visitor.get(`/clients/${id}`);
    const shown = [...text.matchAll(/class="main"[^>]*><bdi>([^<]+)/g)].map(([, name]) => name);
    expect(shown).toEqual(Array.from({ length: 8 }, (_, index) => `file-${index + 1}`));
  });

  test('that was deleted is shown without its actions', async () => {
    const address = `/clients/${await seed('Deleted')}`;
    await visitor.act(`${address}/delete`, `${address}/delete`);
    const { text } = await visitor.get(address);
    expect([text.includes('Record kept until'), text.includes('Change the scopes')]).toEqual([true, false]);
  });
});
