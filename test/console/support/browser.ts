import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as engine, type Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { sharedFolderVariable } from '../../support/programs.ts';
import type { TestConsole } from './serve.ts';

let browser: Promise<Browser> | undefined;

/** The browser of this process. All files share it, because a start takes a second. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

async function launch(): Promise<Browser> {
  try {
    return await engine.launch({
      executablePath: await unpacked(),
      args: chromium.args,
      headless: true,
    });
  } catch (error) {
    throw new Error(
      'The browser of @sparticuz/chromium could not start, so no page of the console can be tested. It needs Linux on ' +
        `x86-64 and 300 MB in the folder for temporary files. ${String(error)}`,
    );
  }
}

/** The path of the browser. The first process of a test run unpacks it, and the others wait until that one has. */
async function unpacked(): Promise<string> {
  const folder = process.env[sharedFolderVariable];
  if (folder === undefined) {
    return chromium.executablePath();
  }
  const done = join(folder, 'browser');
  try {
    await mkdir(`${done}.making`);
  } catch {
    while (!existsSync(done)) {
      await sleep(50);
    }
    return chromium.executablePath();
  }
  try {
    return await chromium.executablePath();
  } finally {
    await writeFile(done, '');
  }
}

/** How a page is shown. */
export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly javaScriptEnabled?: boolean;
  readonly timezoneId?: string;
  readonly locale?: string;
}

const opened = new Map<BrowserContext, readonly string[]>();

/**
 * Opens the console with a one-time link, in a browser profile of its own.
 *
 * @param path where to go
 */
export async function openPage(console: TestConsole, path = '/', look: Look = {}): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    ...look,
  });
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
    // The browser itself says this of each answer of 400 and above. Tests look at the page that came.
    const isStatus = /^Failed to load resource: the server responded with a status of 4\d\d/.test(
      message.text(),
    );
    if ((message.type() === 'error' || message.type() === 'warning') && !isStatus) {
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

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Fails when axe finds anything on the page, in light or in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await runAxe(page);
    expect(found, `axe on ${page.url()}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

async function runAxe(page: Page): Promise<readonly string[]> {
  // The debugger's evaluate is not bound by the Content-Security-Policy, so the page keeps its own.
  await page.evaluate(await axeScript);
  const result = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  )) as AxeResult;
  return result.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
  );
}
