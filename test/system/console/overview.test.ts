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
  await page.getByRole('link', { name: 'Last hour' }).click();
  await page.getByText('succeeded, 1 rejected').waitFor();
  await page.getByRole('img', { name: 'Token and URL requests: 1 succeeded, 1 rejected' }).waitFor();
  // With requests, and so with bars, which the other pages of `pages.test.ts` do not contain.
  expect(await complaintsOfAxe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
