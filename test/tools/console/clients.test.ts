import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getClient } from '../../../tools/operator/clients/client.ts';
import { addSecret } from '../../../tools/operator/clients/secrets.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';
import { seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

closePagesAfterEach();

let console: ConsoleWithAws;

beforeAll(async () => {
  console = await startConsoleWithAws();
});
afterAll(() => console.stop());

const seed = async (name: string) => (await seedClient(console.aws.deployment, name)).client_id;
const stored = (id: string) => getClient(console.aws.deployment, id);

describe('a client', () => {
  it('is created, and the secret is shown once and copied', async () => {
    const page = await openPage(console, '/clients');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('There are no clients yet.').waitFor();
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
    const secret = (await page.locator('#secret').textContent()) ?? '';
    expect(secret).toMatch(/^fss_/);
    await page.getByRole('button', { name: 'Copy the client secret' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    // Nothing of it stays in the browser.
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location, history.state])',
    );
    expect(kept).not.toContain(secret);
    await page.reload();
    await page.getByText('The secret was shown before.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Go to the client' }).click();
    await page.getByRole('heading', { name: 'Nightly export' }).waitFor();
  });

  it('offers to remove a secret when it has two, and a link can name the secret', async () => {
    const id = await seed('Two secrets');
    const removal = `/clients/${id}/remove-secret`;
    const visitor = await enter(console);
    const isOffered = async () => (await visitor.get(`/clients/${id}`)).text.includes(`href="${removal}"`);
    expect(await isOffered()).toBe(false);
    const { secret_id } = await addSecret(console.aws.deployment, id);
    expect(await isOffered()).toBe(true);
    const { text } = await visitor.get(`${removal}?secretId=${secret_id}`);
    expect(text).toContain(`value="${secret_id}"`);
  });

  it('is revoked after a warning that names it', async () => {
    const { text } = await (await enter(console)).get(`/clients/${await seed('Before')}/revoke`);
    expect(text).toContain('&quot;Before&quot; of organisation &quot;acme&quot; gets no new tokens.');
  });

  it('shows its last uploads, and says that tokens are not recorded', async () => {
    const id = await seed('Uploads');
    for (let minutesAgo = 1; minutesAgo <= 10; minutesAgo += 1) {
      await seedUpload(console.aws, { fileId: `file-${minutesAgo}`, clientId: id, minutesAgo });
      await seedUpload(console.aws, { fileId: 'other', clientId: 'client_other', minutesAgo });
    }
    const { text } = await (await enter(console)).get(`/clients/${id}`);
    const shown = [...text.matchAll(/class="main"[^>]*><bdi>([^<]+)/g)].map(([, name]) => name);
    expect(shown).toEqual(Array.from({ length: 8 }, (_, index) => `file-${index + 1}`));
    expect(text).toMatch(/<dt>Last upload<\/dt><dd><time[^>]*>[^<]+, 1 min ago/);
    expect(text).toContain('not recorded');
  });

  it('is deleted after a confirmation, and then found by the status deleted', async () => {
    const id = await seed('To delete');
    const visitor = await enter(console);
    const address = `/clients/${id}/delete`;
    expect((await visitor.get(address)).text).toContain('This cannot be undone.');
    expect((await stored(id)).deleted_at).toBeUndefined();
    expect(await visitor.act(address, address)).toContain('The client was deleted');
    const isListed = async (status: string) =>
      (await visitor.get(`/clients?status=${status}`)).text.includes('To delete');
    const listed = [await isListed('active'), await isListed('revoked'), await isListed('deleted')];
    expect(listed).toEqual([false, false, true]);
    const { text } = await visitor.get(`/clients/${id}`);
    expect([text.includes('Record kept until'), text.includes('Change the scopes')]).toEqual([true, false]);
  });
});
