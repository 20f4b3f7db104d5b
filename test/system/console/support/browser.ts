import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TestConsole } from '../../../tools/console/support/serve.ts';
import { sharedBrowser } from './launch.ts';

const opened = new Map<BrowserContext, readonly string[]>();

/**
 * Opens the console with a one-time link, in a separate browser profile.
 *
 * @param path page to open
 */
export async function openPage(
  console: TestConsole,
  path = '/',
  look: BrowserContextOptions = {},
): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    ...look,
  });
  // Less than the time limit of a test, and more than the 30 s of Playwright: a busy machine can need them.
  context.setDefaultTimeout(100_000);
  const complaints: string[] = [];
  opened.set(context, complaints);
  const page = await context.newPage();
  watch(page, complaints, console.origin);
  await page.goto(console.newLink());
  await page.goto(`${console.origin}${path}`);
  return page;
}

function watch(page: Page, complaints: string[], origin: string): void {
  page.on('pageerror', (error) => complaints.push(`error of a script: ${error.message}`));
  page.on('console', (message) => {
    // Messages about responses of 400 and above, and about a console that has ended. Tests check the
    // resulting page instead.
    const isExpected =
      /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_(CONNECTION|EMPTY))|^htmx:(afterRequest|sendError|timeout),|^Response Status Error Code 4/.test(
        message.text(),
      );
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected) {
      complaints.push(`${message.type()} of ${page.url()}: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) {
      complaints.push(`request to another place: ${url}`);
    }
  });
}

/**
 * Closes the pages of each test of this file. Complaints of a page then fail the test: script errors, console
 * messages, reports of the Content-Security-Policy, requests to other servers.
 */
export function closePagesAfterEach(): void {
  afterEach(async () => {
    const found = [...opened.values()].flat();
    await Promise.all([...opened.keys()].map((context) => context.close()));
    opened.clear();
    expect(found).toEqual([]);
  });
}

const axeScript = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the findings of axe on the page, in light and in dark mode. */
export async function complaintsOfAxe(page: Page): Promise<readonly string[]> {
  // The debugger's evaluate is not subject to the Content-Security-Policy, so the page keeps its policy.
  await page.evaluate(await axeScript);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await runAxe(page, allRules);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only the colours differ between the modes.
  const dark = await runAxe(page, `{ type: 'rule', values: ['color-contrast'] }`);
  await page.emulateMedia({ colorScheme: null });
  return [...light, ...dark].map((complaint) => `${page.url()}: ${complaint}`);
}

const allRules = `{
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
}`;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

async function runAxe(page: Page, rules: string): Promise<readonly string[]> {
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${rules}, resultTypes: ['violations'] })`,
  )) as { readonly violations: readonly Violation[] };
  return violations.map(({ id, help, nodes }) =>
    [id, help, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)].join('\n'),
  );
}
