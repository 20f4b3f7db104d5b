import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestToken } from '../../../tools/operator/request-token.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { closePagesAfterEach, complaintsOfAxe, openPage } from '../../tools/console/support/browser.ts';
import { seedClient } from '../../tools/console/support/seed.ts';
import { startConsole, type TestConsole } from '../../tools/console/support/serve.ts';

closePagesAfterEach();

let stack: RunningStack;
let console: TestConsole;

beforeAll(async () => {
  stack = await startRunningStack();
  console = await startConsole(stack.deployment);
  const { client_id: clientId, client_secret: clientSecret } = await seedClient(stack.deployment);
  await requestToken(stack.deployment, { clientId, clientSecret, scopes: [] });
  await requestToken(stack.deployment, { clientId, clientSecret: `${clientSecret}x`, scopes: [] });
  await stack.eventsSettled();
}, 60_000);
afterAll(async () => {
  await console?.stop();
  await stack?.close();
});

describe('the overview', () => {
  it('says whether it is up, what needs doing and what happened', async () => {
    const page = await openPage(console, '/');
    expect(page.url()).toContain('/overview');
    await page
      .getByText(/answered in \d+ ms/)
      .first()
      .waitFor();
    await page
      .getByText('Nothing needs doing.')
      .or(page.getByText('failed', { exact: true }))
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Last hour' }).click();
    await page.getByText('Access tokens issued: 1', { exact: true }).waitFor();
    await page
      .getByRole('img', { name: /^Access tokens issued: 1: 1 in all, at most 1 in 1 minute/ })
      .waitFor();
    await page.getByText('wrong_secret').or(page.getByText('malformed_credentials')).first().waitFor();
    await page.getByRole('region', { name: 'Alarms' }).getByRole('row').nth(1).waitFor();
    expect(await complaintsOfAxe(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('link', { name: 'Last week' }).click();
    await page.getByText('Access tokens issued: 1', { exact: true }).waitFor();
  });

  it('shows the times of its plots in the zone of the reader', async () => {
    const page = await openPage(console, '/overview?last=hour', { timezoneId: 'Asia/Kolkata' });
    const tick = page.locator('text[data-tick]').first();
    await tick.waitFor();
    const at = new Date((await tick.getAttribute('data-tick')) ?? '');
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Kolkata',
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(await tick.textContent()).toBe(format.format(at));
  });

  it('says what cannot be read, and shows the rest', async () => {
    const { awsConfig } = stack.deployment;
    const denied = {
      ...stack.deployment,
      awsConfig: { ...awsConfig, credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } },
    };
    const poor = await startConsole(denied);
    try {
      const page = await openPage(poor, '/overview');
      await page.getByText('failed', { exact: true }).first().waitFor();
      await page
        .getByText(/answered in \d+ ms/)
        .first()
        .waitFor();
      expect(await page.getByRole('alert').count()).toBeGreaterThan(0);
    } finally {
      await poor.stop();
    }
  });
});
