import { seedClient } from '../../tools/console/support/seed.ts';
import { seedUpload } from '../../tools/console/support/seed-uploads.ts';
import { startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { formOf, seedWorld } from '../../tools/console/support/world.ts';
import { everyAction } from '../../tools/operator/support/every-action.ts';
import { closePagesAfterEach, complaintsOfAxe, openPage } from './support/browser.ts';

closePagesAfterEach();

const console = await startConsoleWithAws();
const world = await seedWorld(console);

const { clientId, clientWithTwoSecrets, revokedClient, uploads } = world;

/** Paths of all kinds of pages, by content. */
const pages: Readonly<Record<string, string>> = {
  clients: '/clients',
  'no client': '/clients?name=nothing',
  'an unknown client': '/clients/none',
  'a client': `/clients/${clientId}`,
  'a client with two secrets': `/clients/${clientWithTwoSecrets}`,
  'the guide of a client': `/clients/${clientId}/guide`,
  'a revoked client': `/clients/${revokedClient}`,
  files: '/files',
  'a file': '/files/orders',
  'a file that is a form': '/files/form',
  'a file without content': '/files/prices',
  uploads: '/uploads',
  'chosen uploads': '/uploads?status=expired&file=orders',
  'uploads of a wrong time': '/uploads?since=yesterday',
  ...Object.fromEntries(
    Object.entries(uploads).map(([state, id]) => [`an upload: ${state}`, `/uploads/${id}`]),
  ),
  'signing keys': '/signing-keys',
  organisations: '/organisations',
  'an organisation': '/organisations/acme',
  ...Object.fromEntries(
    everyAction.map((action) => [`the form: ${action.noun} ${action.verb}`, formOf(action, world)]),
  ),
  overview: '/overview',
  search: '/search',
  'what was found': '/search?q=orders',
  'nothing found': '/search?q=nothing',
};

test.for(Object.entries(pages))('everyone can read, at any width, the page of %s', async ([, path]) => {
  const page = await openPage(console, path);
  // In light and in dark.
  expect(await complaintsOfAxe(page)).toEqual([]);
  expect(await page.locator('h1').count()).toBe(1);

  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('the rows of a list have one height, however long the names of others are', async () => {
  const { client_id: clientId } = await seedClient(console.aws.deployment, 'Orders of Rotterdam '.repeat(3));
  await seedUpload(console.aws, { fileId: 'orders', clientId });
  const page = await openPage(console, '/uploads?file=orders');
  const heights =
    '[...new Set([...document.querySelectorAll("tr:has(.main)")].map((row) => Math.round(row.clientHeight)))]';
  expect(await page.evaluate(heights)).toHaveLength(1);
});

test('the action of selected rows opens with all of them', async () => {
  const page = await openPage(console, '/clients?status=active');
  await page.getByLabel('Select all').check();
  await page.getByRole('button', { name: 'Revoke clients' }).click();
  await page.getByText(clientWithTwoSecrets).waitFor();
  await page.getByText(clientId, { exact: true }).waitFor();
});

test.for([1280, 390])('a list shows a name of 55 characters as a whole at %i pixels', async (width) => {
  const name = `Orders of the warehouse in Rotterdam for the CRM at ${width}`;
  const { client_id } = await seedClient(console.aws.deployment, name);
  const page = await openPage(console, '/clients', { viewport: { width, height: 800 } });
  await page.getByRole('link', { name }).waitFor();
  const isCut = `((link, cell) => link.scrollHeight > link.clientHeight + 1 || cell.scrollWidth > cell.clientWidth)(
      document.querySelector('[href="/clients/${client_id}"]'), document.querySelector('td:has([href="/clients/${client_id}"])'))`;
  expect(await page.evaluate(isCut)).toBe(false);
});
