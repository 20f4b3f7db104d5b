import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { startConsole } from '../../tools/console/support/serve.ts';
import { closePagesAfterEach, complaintsOfAxe, openPage } from './support/browser.ts';

closePagesAfterEach();

const stack = await useRunningStack();
const console = await startConsole(stack.deployment);
const { requestToken } = await createApiUser(stack);
await requestToken();
expect((await requestToken({ client_secret: 'wrong' })).status).toBe(401);
await stack.eventsSettled();

test('the overview shows the health and the latest activity', async () => {
  const page = await openPage(console, '/');
  expect(page.url()).toContain('/overview');
  await page
    .getByText('All well')
    .or(page.getByText(/^\d+ things? to do$/))
    .waitFor();
  await page.getByText(/^\d+ checks? passed$/).click();
  await page.getByText(/responded in \d+ ms/).waitFor();
  await page.getByRole('link', { name: '1h', exact: true }).click();
  const chart = page.getByRole('figure', { name: 'Requests by status' });
  await chart.getByText(/rejected \(4xx\): 1;/).waitFor();
  await chart.locator('canvas').waitFor();
  // With charts, which the other pages of `pages.test.ts` do not contain.
  expect(await complaintsOfAxe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
