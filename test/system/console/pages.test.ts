import { describe, expect, it } from 'vitest';
import { closePagesAfterEach, complaintsOfAxe, openPage } from '../../tools/console/support/browser.ts';
import { seedClient } from '../../tools/console/support/seed.ts';
import { startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { formOf, seedWorld, type World } from '../../tools/console/support/world.ts';
import { everyAction } from '../../tools/operator/support/every-action.ts';

closePagesAfterEach();

const console = await startConsoleWithAws();
const world = await seedWorld(console);

/** Every kind of page. */
function pagesOf(world: World) {
  const { clientId, clientWithTwoSecrets, revokedClient, uploads } = world;
  const of = (place: string, ends: readonly string[]) => ends.map((end) => `${place}${end}`);
  return [
    ...of('/clients', [
      '',
      '?name=nothing',
      '/none',
      ...[clientId, clientWithTwoSecrets, revokedClient].map((id) => `/${id}`),
    ]),
    ...of('/files', ['', '/orders', '/form', '/prices']),
    ...of('/uploads', [
      '',
      '?status=expired&file=orders',
      '?since=yesterday',
      ...Object.values(uploads).map((id) => `/${id}`),
    ]),
    '/signing-keys',
    ...of('/organisations', ['', '/acme']),
    ...everyAction.map((action) => formOf(action, world)),
    ...['/overview', '/search', '/search?q=orders', '/search?q=nothing'],
  ];
}

describe('every page', () => {
  it('passes axe, light and dark, fits 390 pixels and has one heading', async () => {
    const page = await openPage(console);
    const culprits: string[] = [];
    for (const path of pagesOf(world)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${console.origin}${path}`);
      culprits.push(...(await complaintsOfAxe(page)));
      await page.setViewportSize({ width: 390, height: 800 });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      if (width !== 390 || (await page.locator('h1').count()) !== 1) {
        culprits.push(`${path}: ${width} pixels wide`);
      }
    }
    expect(culprits).toEqual([]);
  }, 300_000);

  it('has no navigation, search, form or button on paper, and every column', async () => {
    const page = await openPage(console, '/clients', { viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav, search, form, button, .button').filter({ visible: true }).count()).toBe(
      0,
    );
    await page.getByRole('columnheader', { name: 'Client ID' }).waitFor();
  });
});

describe('a list', () => {
  it.for([1280, 390])('shows a name of 55 characters as a whole at %i pixels', async (width) => {
    const name = `Orders of the warehouse in Rotterdam for the CRM at ${width}`;
    const { client_id } = await seedClient(console.aws.deployment, name);
    const page = await openPage(console, '/clients', { viewport: { width, height: 800 } });
    await page.getByRole('link', { name }).waitFor();
    const isCut = `((link, cell) => link.scrollHeight > link.clientHeight + 1 || cell.scrollWidth > cell.clientWidth)(
      document.querySelector('[href="/clients/${client_id}"]'), document.querySelector('td:has([href="/clients/${client_id}"])'))`;
    expect(await page.evaluate(isCut)).toBe(false);
  });
});
