import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';

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
