import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getClient } from '../../../tools/operator/clients.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';
import { seedClient } from './support/seed.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';

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
    await page.getByRole('button', { name: 'Create the client' }).click();
    // Nothing of the input is lost.
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('at least one');
    expect(await page.getByLabel('Name').inputValue()).toBe('Nightly export');
    await page.getByLabel('volume:read').check();
    await page.getByRole('button', { name: 'Create the client' }).click();
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

  it('is renamed, gets other scopes, and is revoked and restored, by keyboard and without scripts', async () => {
    const id = await seed('Before');
    const page = await openPage(console, `/clients/${id}`, { javaScriptEnabled: false });
    // A time without a script is in UTC, and buttons that need one are not there.
    await page
      .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
    const press = async (role: 'link' | 'button', name: string) => {
      await page.getByRole(role, { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await press('link', 'Rename');
    await page.getByLabel('Name').fill('After');
    await page.keyboard.press('Enter');
    await page.getByText('The client is now called "After". Before, it was "Before".').waitFor();
    await press('link', 'Change scopes');
    await page.getByLabel('sync:create').press('Space');
    await press('button', 'Change the scopes');
    await page
      .getByText('The scopes are now volume:read, sync:create. Before, they were volume:read.')
      .waitFor();
    await press('link', 'Revoke');
    await page.getByText('After of organisation acme gets no new tokens').waitFor();
    await press('button', 'Revoke the client');
    await page.getByText('This client gets no new tokens.').waitFor();
    expect(await stored(id)).toMatchObject({ name: 'After', status: 'revoked' });
    await press('button', 'Restore');
    await page.getByText('This client can get tokens again.').waitFor();
    expect(await stored(id)).toMatchObject({ status: 'active', scopes: ['volume:read', 'sync:create'] });
  });

  it('gets a second secret, and loses the old one', async () => {
    const id = await seed('Two secrets');
    const idsOf = async () => (await stored(id)).secrets.map(({ secret_id }) => secret_id);
    const [old = ''] = await idsOf();
    const page = await openPage(console, `/clients/${id}`);
    await page.getByRole('button', { name: 'Add a second secret' }).click();
    await page.getByText('Save the client secret now.').waitFor();
    await page.getByRole('link', { name: 'Go to the client' }).click();
    await page.getByRole('row').filter({ hasText: old }).getByRole('link', { name: 'Remove' }).click();
    await page.getByText('ends immediately').waitFor();
    await page.getByRole('button', { name: 'Remove the secret' }).click();
    await page.getByText(`The secret ${old} was removed.`).waitFor();
    expect(await idsOf()).toEqual([expect.not.stringContaining(old)]);
  });

  it('is deleted after a confirmation, and found by the filter for it alone', async () => {
    const id = await seed('To delete');
    const page = await openPage(console, `/clients/${id}`);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByText('This cannot be undone.').waitFor();
    expect((await stored(id)).deleted_at).toBeUndefined();
    await page.getByRole('button', { name: 'Delete the client' }).click();
    await page.getByText('The client was deleted').waitFor();
    for (const status of ['active', 'revoked']) {
      await page.goto(`${console.origin}/clients?status=${status}`);
      expect(await page.getByText('To delete').count()).toBe(0);
    }
    await page.goto(`${console.origin}/clients?status=deleted`);
    await page.getByRole('link', { name: 'To delete' }).click();
    await page.getByText('Kept until').waitFor();
    expect(await page.getByRole('link', { name: 'Rename' }).count()).toBe(0);
  });
});
