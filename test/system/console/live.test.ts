import type { Page, Route } from 'playwright-core';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { seedClient, seedFile } from '../../tools/console/support/seed.ts';
import { seedUpload } from '../../tools/console/support/seed-uploads.ts';
import { startConsole, startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';

closePagesAfterEach();

const console = await startConsoleWithAws();
await seedFile(console.aws.deployment, 'live');
const clientId = (await seedClient(console.aws.deployment)).client_id;

test('uploads of a running service appear and complete in open pages', async () => {
  const running = await useRunningStack();
  const served = await startConsole(running.deployment);
  const page = await openPage(served, '/uploads');
  await page.getByText('There are no uploads to show.').waitFor();
  const { put } = await (await createApiUser(running)).issue();
  const list = page.getByRole('region', { name: 'Uploads' });
  await list.getByText('issued', { exact: true }).waitFor();
  const life = await openPage(served, '/uploads');
  // The whole row is the link.
  await life.getByRole('region', { name: 'Uploads' }).getByText('issued', { exact: true }).click();
  await life.getByText('The upload is issued.').waitFor();
  expect((await put('id,amount\n')).ok).toBe(true);
  await list.getByText('completed', { exact: true }).waitFor();
  await life.getByText('The upload is completed.').waitFor();
  await life.getByText('Kept up to date.', { exact: true }).waitFor({ state: 'detached' });
});

describe('a page that is kept up to date', () => {
  const reject = (route: Route) => route.abort('connectionrefused');
  const alertOf = (page: Page) => page.getByRole('alert').filter({ hasText: 'the console does not respond' });
  const claimOf = (page: Page) => page.getByText('Kept up to date.').filter({ visible: true });

  test('shows that its address is wrong when another console responds', async () => {
    const first = await startConsole(console.aws.deployment);
    const page = await openPage(first, '/files/live');
    await page.getByText('Kept up to date.').waitFor();
    await first.stop();
    await startConsole(console.aws.deployment, {}, first.port);
    await page.getByRole('heading', { name: 'Wrong address' }).waitFor();
  });

  test.for(['/uploads', '/files/live', '/clients/CLIENT', '/uploads/UPLOAD', '/overview'])(
    'says that it is out of date when its console is gone: %s',
    async (path) => {
      const upload = await seedUpload(console.aws, { fileId: 'live', clientId });
      const page = await openPage(console, path.replace('CLIENT', clientId).replace('UPLOAD', upload));
      await claimOf(page).waitFor();
      await page.route('**', reject);
      await alertOf(page).waitFor();
      expect(await claimOf(page).count()).toBe(0);
      expect(await alertOf(page).textContent()).toContain('start the command again and open the new link.');
    },
  );
});

describe('a page in the browser', () => {
  test('copies the secret of a new client, and keeps nothing of it', async () => {
    const page = await openPage(console, '/clients/+create');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'Organisation' }).fill('acme');
    await page.getByLabel('Name').fill('Copied');
    await page.getByLabel('volume:read').check();
    await page.getByRole('button', { name: 'Create a client' }).click();
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.locator('[data-done="Copied"]').waitFor();
    const secret = await page.evaluate('navigator.clipboard.readText()');
    expect(secret).toMatch(/^fss_/);
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location, history.state])',
    );
    expect(kept).not.toContain(secret);
    await page.reload();
    await page.getByRole('heading', { name: 'Copied' }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });
});
