import { expect, test } from 'vitest';
import { requestToken } from '../../../tools/operator/requests/request-token.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { seedClient } from '../../tools/console/support/seed.ts';
import { startConsole } from '../../tools/console/support/serve.ts';
import { closePagesAfterEach, complaintsOfAxe, openPage } from './support/browser.ts';

closePagesAfterEach();

const stack = await useRunningStack();
const console = await startConsole(stack.deployment);
const { client_id: clientId, client_secret: clientSecret } = await seedClient(stack.deployment);
await requestToken(stack.deployment, { clientId, clientSecret });
const wrong = requestToken(stack.deployment, { clientId, clientSecret: `${clientSecret}x` });
await expect(wrong).rejects.toThrow('invalid_client');
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

test('a chart shows the values under the cursor, and opens the requests of a bar', async () => {
  const page = await openPage(console, '/overview?since=1h', { timezoneId: 'Asia/Kolkata' });
  await page.getByRole('button', { name: 'Times in UTC' }).click();
  await page.getByRole('button', { name: /Times in (Kolkata|Calcutta)/ }).waitFor();
  await page.getByLabel('Logarithmic').check();
  const chart = page.getByRole('figure', { name: 'Requests by status' });
  const bars = chart.locator('.u-over');
  await bars.hover({ position: { x: 1, y: 20 } });
  const first = page.locator('#activity tbody a').first();
  const time = (await first.textContent())?.slice(-5);
  await chart.getByText(new RegExp(`, ${time}$`)).waitFor();
  const address = await first.getAttribute('href');
  await bars.click({ position: { x: 1, y: 20 } });
  await page.waitForURL((url) => `${url.pathname}${url.search}` === address);
});
