import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getClient, renameClient } from '../../cli/operations/clients.ts';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { seedClient } from './support/seed.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

closePagesAfterEach();

let console: ConsoleWithAws;

beforeAll(async () => {
  console = await startConsoleWithAws();
});
afterAll(() => console.stop());

describe('clients in the browser', () => {
  it('are created, and the secret is shown once', async () => {
    const page = await openPage(console, '/clients');
    await page.getByRole('link', { name: 'Create the first client' }).click();
    await page.getByLabel('Organisation').fill('acme');
    await page.getByLabel('Name').fill('Nightly export');
    await page.getByRole('button', { name: 'Create the client' }).click();
    // Nothing of the input is lost.
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('at least one');
    expect(await page.getByLabel('Name').inputValue()).toBe('Nightly export');
    await expectAccessible(page);
    await page.getByLabel('volume:read').check();
    await page.getByRole('button', { name: 'Create the client' }).click();
    await page.getByText('Save the client secret now.').waitFor();
    const secret = await page.locator('#secret').textContent();
    expect(secret).toMatch(/^fss_/);
    expect(page.url()).not.toContain(secret);
    await expectAccessible(page);
    await page.reload();
    await page.getByText('The secret was shown before.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Go to the client' }).click();
    await page.getByRole('heading', { name: 'Nightly export' }).waitFor();
    await expectAccessible(page);
  });
});

const statusOf = async (id: string) => (await getClient(console.aws.deployment, id)).status;

const seed = async (name: string) => (await seedClient(console.aws.deployment, name)).client_id;

describe('a change of a client', () => {
  it('of name, scopes or status says what happened, and is undone', async () => {
    const id = await seed('Before');
    const page = await openPage(console, `/clients/${id}`);
    const undo = page.getByRole('button', { name: 'Undo' });

    await page.getByRole('link', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('After');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The client is now called "After".').waitFor();
    await undo.click();
    await page.getByRole('heading', { name: 'Before' }).waitFor();

    await page.getByRole('link', { name: 'Change scopes' }).click();
    await page.getByLabel('sync:create').check();
    await page.getByRole('button', { name: 'Change the scopes' }).click();
    await page.getByText('The scopes are now volume:read, sync:create.').waitFor();
    await undo.click();
    await page.getByText('The scopes are now volume:read. ').waitFor();
    expect((await getClient(console.aws.deployment, id)).scopes).toEqual(['volume:read']);

    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByText('Before of organisation acme gets no new tokens').waitFor();
    await page.getByRole('button', { name: 'Revoke the client' }).click();
    await page.getByText('This client gets no new tokens.').waitFor();
    expect(await statusOf(id)).toBe('revoked');
    await undo.click();
    await page.getByText('This client can get tokens again.').waitFor();
    expect(await statusOf(id)).toBe('active');
  });

  it('is made by keyboard alone, from the list on', async () => {
    const id = await seed('By keyboard');
    const page = await openPage(console, '/clients?q=by+keyboard');
    await tabTo(page, 'By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await tabTo(page, 'Rename');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rename a client' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await page.getByText('The client is now called "Typed".').waitFor();
    expect((await getClient(console.aws.deployment, id)).name).toBe('Typed');
    // "/" goes to the search from anywhere, and is a character where one writes.
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    expect(await page.getByRole('searchbox').inputValue()).toBe('a/b');
  });

  it('needs no scripts', async () => {
    const id = await seed('No scripts');
    const page = await openPage(console, `/clients/${id}`, { javaScriptEnabled: false });
    await page
      .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the client' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This client can get tokens again.').waitFor();
    // Buttons that need a script are not there.
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
  });
});

/** Presses Tab until what has this name has the focus: the text of a link, or the label of a field. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(
      '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
    );
    if (focused === name) {
      return;
    }
  }
  throw new Error(`Tab does not reach ${name}.`);
}

describe('the secret of a client', () => {
  it('is changed in steps: add, save, hand over, remove', async () => {
    const id = await seed('Two secrets');
    const [old] = (await getClient(console.aws.deployment, id)).secrets;
    const page = await openPage(console, `/clients/${id}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: 'Change the secret' }).first().click();
    await page.getByRole('button', { name: 'Add a second secret' }).click();
    const secret = (await page.locator('#secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy the client secret' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(`${id}-secret.txt`);
    expect(await readFile(await saved.path(), 'utf8')).toBe(`${secret}\n`);
    // Nothing of it stays in the browser.
    expect(
      await page.evaluate(
        'JSON.stringify([localStorage, sessionStorage, document.cookie, location, history.state])',
      ),
    ).not.toContain(secret);
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    await page.getByRole('link', { name: 'Next: hand it over' }).click();
    await page.getByText('Set the new secret in every copy of the application.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: old?.secret_id ?? '' })
      .last()
      .getByRole('link', { name: 'Remove' })
      .click();
    await page.getByText('ends immediately').waitFor();
    await page.getByRole('button', { name: 'Remove the secret' }).click();
    await page.getByText(`The secret ${old?.secret_id} was removed.`).waitFor();
    const { secrets } = await getClient(console.aws.deployment, id);
    expect(secrets.map(({ secret_id }) => secret_id)).not.toContain(old?.secret_id);
    expect(secrets).toHaveLength(1);
  });
});

describe('a client that is deleted', () => {
  it('goes after a confirmation, and is found by the filter for it alone', async () => {
    const id = await seed('To delete');
    const page = await openPage(console, `/clients/${id}`);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the client' }).click();
    await page.getByText('The client was deleted').waitFor();
    await page.goto(`${console.origin}/clients?status=deleted`);
    await page.getByRole('link', { name: 'To delete' }).click();
    await page.getByText('Kept until').waitFor();
    expect(await page.getByRole('link', { name: 'Rename' }).count()).toBe(0);
    for (const status of ['active', 'revoked']) {
      await page.goto(`${console.origin}/clients?status=${status}`);
      expect(await page.getByText('To delete').count()).toBe(0);
    }
  });
});

describe('two operators at the same time', () => {
  it('never undo each other without saying so', async () => {
    const id = await seed('Shared');
    const [one, other] = [await enter(console), await enter(console)];
    const form = `/clients/${id}/name`;
    // One has the form open while the other revokes: the rename leaves that alone.
    await other.submit(`/clients/${id}/revoke`, `/clients/${id}/revoke`);
    await one.submit(form, form, { name: 'Renamed' });
    expect(await getClient(console.aws.deployment, id)).toMatchObject({ name: 'Renamed', status: 'revoked' });
    const late = await one.submit(`/clients/${id}/revoke`, `/clients/${id}/revoke`);
    expect(late.status).toBe(303);
    expect((await one.get(`/clients/${id}`)).text).toContain('was already revoked. Nothing was changed.');
  });

  it('see the undo of a name refused when the name was changed again', async () => {
    const id = await seed('First');
    const page = await openPage(console, `/clients/${id}/name`);
    await page.getByLabel('Name').fill('Second');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('The client is now called "Second".').waitFor();
    await renameClient(console.aws.deployment, id, 'Of the colleague');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('is now called "Of the colleague", so it was not changed back').waitFor();
    expect((await getClient(console.aws.deployment, id)).name).toBe('Of the colleague');
  });
});

describe('a session that ended', () => {
  it('says so in place of the page, and a new link goes on', async () => {
    const id = await seed('Idle');
    const page = await openPage(console, `/clients/${id}/revoke`);
    console.ahead += 31 * 60_000;
    await page.getByRole('button', { name: 'Revoke the client' }).click();
    await page.getByRole('heading', { name: 'No session' }).waitFor();
    await page.getByText('Ask for a new one.').waitFor();
    expect(await statusOf(id)).toBe('active');
    await page.goto(console.newLink());
    await page.goto(`${console.origin}/clients/${id}`);
    await page.getByRole('heading', { name: 'Idle' }).waitFor();
  });

  it('is noticed by a page that keeps itself up to date', async () => {
    const page = await openPage(console, '/uploads');
    await page.getByText('There are no uploads yet.').waitFor();
    console.ahead += 31 * 60_000;
    await page.getByRole('heading', { name: 'No session' }).waitFor();
  });
});
