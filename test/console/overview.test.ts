import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningStack, startRunningStack } from '../support/running-stack.ts';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { seedActivity } from './support/seed.ts';
import { startConsole, type TestConsole } from './support/serve.ts';
import { enter } from './support/visitor.ts';

closePagesAfterEach();

let stack: RunningStack;
let console: TestConsole;

beforeAll(async () => {
  stack = await startRunningStack();
  console = await startConsole(stack.deployment);
  await seedActivity(stack);
}, 60_000);
afterAll(async () => {
  await console?.stop();
  await stack?.close();
});

describe('the overview', () => {
  it('says whether it is up, what needs doing, what happened, and how old the keys are', async () => {
    const page = await openPage(console, '/');
    expect(page.url()).toContain('/overview');
    await page
      .getByText(/answered in \d+ ms/)
      .first()
      .waitFor();
    await page
      .getByText(/^Nothing needs doing|failed/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Last hour' }).click();
    await page.getByText('Access tokens issued: 1', { exact: true }).waitFor();
    await page
      .getByRole('img', { name: /^Access tokens issued: 1: 1 in all, at most 1 in 1 minute/ })
      .waitFor();
    await page.getByText('wrong_secret').or(page.getByText('malformed_credentials')).first().waitFor();
    await page.getByText(/^\d+ alarms, none raised\.$/).waitFor();
    await page.getByText('Dead letters', { exact: true }).waitFor();
    await page.getByText(/^current, signs, since/).waitFor();
    await page.locator('summary', { hasText: 'of Access tokens issued: 1' }).click();
    await page.getByRole('region', { name: 'Values: Access tokens issued: 1' }).waitFor();
    await expectAccessible(page);
    for (const span of ['day', 'week']) {
      await page.getByRole('link', { name: `Last ${span}` }).click();
      await page.getByText('Access tokens issued: 1', { exact: true }).waitFor();
      await expectAccessible(page);
    }
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

  it('fits 320 pixels, and weighs at most 150 KB', async () => {
    const page = await openPage(console, '/overview?last=week', { viewport: { width: 320, height: 640 } });
    await page.getByText('Access tokens issued: 1', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    const visitor = await enter(console);
    const sizes = await Promise.all(
      ['/overview?last=day', '/assets/htmx.js', '/assets/console.js', '/assets/console.css'].map(
        async (path) => Buffer.byteLength((await visitor.get(path)).text),
      ),
    );
    expect(sizes.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(150_000);
  });

  it('checks again when asked', async () => {
    const visitor = await enter(console);
    const answer = await visitor.get('/overview?last=week&check=again');
    expect(answer.headers.location).toBe('/overview?last=week');
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
