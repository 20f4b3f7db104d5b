import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import type { TestConsole } from '../../../tools/console/support/serve.ts';
import { sharedBrowser } from './launch.ts';

const opened = new Map<BrowserContext, readonly string[]>();

/**
 * Opens the console with a one-time link, in a browser profile of its own.
 *
 * @param path where to go
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
  // Less than a test may take, and more than the 30 s of Playwright: a busy machine can need them.
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
    // Of each response of 400 and above, and of a console that has ended. Tests look at the page that came.
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
 * Closes what each test of this file opened. Everything that a page complained of then fails the test: errors of scripts,
 * the console's messages, reports of the Content-Security-Policy, requests to other places.
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

/** What axe finds on the page, in light and in dark. */
export async function complaintsOfAxe(page: Page): Promise<readonly string[]> {
  // The debugger's evaluate is not bound by the Content-Security-Policy, so the page keeps its own.
  await page.evaluate(await axeScript);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await runAxe(page, allRules);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Only colours differ.
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
