/**
 * Measures every page of the console in the browser: what it loads, in bytes by kind, and when it is first painted.
 *
 *     npm run measure:console                    the pages, on AWS in memory
 *     npm run measure:console -- --state FOLDER  the lists of a deployment that `npm run bench -- growth --state FOLDER` filled
 *
 * Each page is opened in a browser that has loaded nothing before, and the time is the median of five. It fails when a page
 * weighs more than 150 KB, is painted after more than 300 ms, or a long list after more than a second.
 */
import { parseArgs } from 'node:util';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import { startLocalRun } from '../support/local-run.ts';
import { sharedBrowser } from './support/launch.ts';
import { startConsole, startConsoleWithAws, type TestConsole } from './support/serve.ts';
import { pagesOf, seedWorld } from './support/world.ts';

const { values } = parseArgs({
  options: { state: { type: 'string' }, repetitions: { type: 'string', default: '5' } },
});
const repetitions = Number(values.repetitions);

interface NamedPage {
  readonly name: string;
  readonly path: string;
}

interface Load {
  readonly bytes: Readonly<Record<Kind, number>>;
  /** Milliseconds from the start of the navigation. */
  readonly painted: number;
}

const kinds = ['Document', 'Stylesheet', 'Script', 'Other'] as const;
type Kind = (typeof kinds)[number];

const limits = { bytes: 150_000, painted: 300, list: 1000 };

async function measureAll(console: TestConsole, pages: readonly NamedPage[], longest: number): Promise<void> {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await (await context.newPage()).goto(console.newLink());
    process.stdout.write(row('page', [...kinds, 'all bytes', 'painted ms']));
    for (const page of pages) {
      report(page, await measure(context, `${console.origin}${page.path}`), longest);
    }
  } finally {
    await context.close();
  }
}

async function measure(context: BrowserContext, address: string): Promise<Load> {
  const loads: Load[] = [];
  for (let time = 0; time < repetitions; time += 1) {
    loads.push(await load(context, address));
  }
  loads.sort((one, other) => one.painted - other.painted);
  const middle = loads[Math.floor(loads.length / 2)];
  if (middle === undefined) {
    throw new Error('--repetitions must be at least 1.');
  }
  return middle;
}

async function load(context: BrowserContext, address: string): Promise<Load> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    const bytes = await countBytes(session);
    await page.goto(address);
    const painted = await page.evaluate(
      `new Promise((resolve) => new PerformanceObserver((list) =>
         list.getEntriesByName('first-contentful-paint').forEach((entry) => resolve(entry.startTime))
       ).observe({ type: 'paint', buffered: true }))`,
    );
    return { bytes, painted: Number(painted) };
  } finally {
    await page.close();
  }
}

/** Counts what comes over the connection, with headers, and nothing from the browser's memory. */
async function countBytes(session: CDPSession): Promise<Record<Kind, number>> {
  const bytes: Record<Kind, number> = { Document: 0, Stylesheet: 0, Script: 0, Other: 0 };
  const kindsById = new Map<string, Kind>();
  session.on('Network.responseReceived', ({ requestId, type }) =>
    kindsById.set(requestId, kinds.find((kind) => kind === type) ?? 'Other'),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes[kindsById.get(requestId) ?? 'Other'] += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return bytes;
}

function report({ name }: NamedPage, { bytes, painted }: Load, longest: number): void {
  const total = kinds.reduce((sum, kind) => sum + bytes[kind], 0);
  const isMissed = total > limits.bytes || painted > longest;
  const figures = [...kinds.map((kind) => bytes[kind]), total, Math.round(painted)].map(String);
  process.stdout.write(row(name, [...figures, ...(isMissed ? ['MISSED'] : [])]));
  if (isMissed) {
    process.exitCode = 1;
  }
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(26)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
}

async function measurePages(): Promise<void> {
  const console = await startConsoleWithAws();
  try {
    await measureAll(console, pagesOf(await seedWorld(console)), limits.painted);
  } finally {
    await console.stop();
  }
}

async function measureLists(stateDirectory: string): Promise<void> {
  const run = await startLocalRun({ stateDirectory });
  const console = await startConsole(await localDeployment(stateDirectory));
  try {
    const lists = ['/clients', '/clients?q=export+99', '/files', '/uploads', '/uploads?organisation=acme'];
    const pages = lists.map((path) => ({ name: path, path }));
    await measureAll(console, pages, limits.list);
  } finally {
    await console.stop();
    await run.stop();
  }
}

try {
  await (values.state === undefined ? measurePages() : measureLists(values.state));
} finally {
  await (await sharedBrowser()).close();
}
