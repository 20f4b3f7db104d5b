import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFile } from '../../../tools/operator/files.ts';
import { manyClients, writeItems } from '../../support/many-items.ts';
import { closePagesAfterEach, openPage } from '../../tools/console/support/browser.ts';
import { hostileName } from '../../tools/console/support/seed.ts';
import { seedUpload } from '../../tools/console/support/seed-uploads.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { enter, type Visitor } from '../../tools/console/support/visitor.ts';

closePagesAfterEach();

/** More than is read at a time. */
const count = 320;

let console: ConsoleWithAws;
let visitor: Visitor;
/** In the order of issue. */
const uploadIds: string[] = [];

beforeAll(async () => {
  console = await startConsoleWithAws();
  await writeItems(console.aws, 'clients', manyClients(count));
  const file = { organisationId: 'umbrella', syncEnabled: true };
  await createFile(console.aws.deployment, { ...file, name: hostileName, fileId: 'orders' });
  await createFile(console.aws.deployment, { ...file, name: 'Prices', fileId: 'prices', syncEnabled: false });
  for (let index = 0; index < 55; index += 1) {
    const upload = { fileId: 'orders', organisationId: 'umbrella', minutesAgo: 1000 - 10 * index };
    const state = index === 7 ? 'cancelled' : 'expired';
    uploadIds.push(await seedUpload(console.aws, { ...upload, state }));
  }
  visitor = await enter(console);
}, 60_000);
afterAll(() => console.stop());

const nextIn = (text: string) => /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** What a pattern finds on all pages of a list, in their order. */
async function throughout(address: string, pattern: RegExp): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (let next = address; next !== ''; ) {
    const { text } = await visitor.get(next);
    found.push(...[...text.matchAll(pattern)].map(([, match]) => match));
    next = nextIn(text);
  }
  return found;
}

const clientNumber = /Nightly export (\d+)</g;
const uploadRow = /<a class="id" id="([^"]+)-uploads"/g;

describe('a list', () => {
  it('of clients is newest first, on every page', async () => {
    const { text } = await visitor.get('/clients');
    expect(text).toContain('50 clients, newest first. There are older ones.');
    const second = await visitor.get(nextIn(text));
    expect(second.text).toContain('href="/clients">Newest');
    const numbers = Array.from({ length: count }, (_, index) => String(count - 1 - index));
    expect(await throughout('/clients', clientNumber)).toEqual(numbers);
  });

  it('of uploads has each once, newest first', async () => {
    for (const filter of ['file=orders', 'organisation=umbrella', '']) {
      expect(await throughout(`/uploads?${filter}`, uploadRow), filter).toEqual([...uploadIds].reverse());
    }
  });

  it('is filtered in the browser, and its address and export have the same filters', async () => {
    const page = await openPage(console, '/files');
    const filters = page.getByRole('search').filter({ has: page.getByRole('button', { name: 'Filter' }) });
    await filters.getByLabel('Organisation').fill('umbrella');
    await filters.getByLabel('Id or name').fill('ONCLICK');
    await filters.getByLabel('Syncing').selectOption('enabled');
    await filters.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 file, newest first.').waitFor();
    expect(await filters.getByLabel('Syncing').inputValue()).toBe('enabled');
    const { search } = new URL(page.url());
    const { text } = await visitor.get(`/files/+export.csv${search}`);
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(',')[0]),
    ).toEqual(['file_id', 'orders']);
    const none = await visitor.get('/files?organisation=umbrella&status=deleted');
    expect(none.text).toContain('No file matches.');
  });

  it('is exported whole', async () => {
    const csv = await visitor.get('/clients/+export.csv');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="clients.csv"');
    expect(csv.text.trim().split('\n')).toHaveLength(count + 1);
  });

  it('of uploads is filtered by state, request and time', async () => {
    const idsFor = (query: string) => throughout(`/uploads?${query}`, uploadRow);
    expect(await idsFor('status=cancelled')).toEqual([uploadIds[7]]);
    expect(await idsFor('request=nobody')).toEqual([]);
    expect(await idsFor('file=orders&since=475m')).toEqual(uploadIds.slice(53).reverse());
    expect(await idsFor('until=985m')).toEqual(uploadIds.slice(0, 2).reverse());
  });

  it('says what is wrong with a filter', async () => {
    const wrong = [
      ['/uploads?since=yesterday', 400, 'yesterday'],
      ['/uploads?client=none', 404, 'There is no client &quot;none&quot;.'],
      ['/clients?after=x', 400, 'Start at its first page'],
      ['/uploads/+export.csv?client=none', 404, 'There is no client'],
    ] as const;
    for (const [address, expected, told] of wrong) {
      const { status, text } = await visitor.get(address);
      expect([status, text.includes(told)], address).toEqual([expected, true]);
    }
  });

  it('stops a search that few match in time, and goes on from there', async () => {
    let looks = 0;
    // Each look at the clock is a second later.
    const now = () => {
      looks += 1;
      return Date.now() + looks * 1000;
    };
    const jumping = await startConsole(console.aws.deployment, { now });
    try {
      const { text } = await (await enter(jumping)).get('/uploads?file=orders&status=completed');
      expect(text).toContain('0 uploads found so far, newest first. Few match, so the search stopped');
      expect(nextIn(text)).not.toBe('');
    } finally {
      await jumping.stop();
    }
  });

  it('of uploads is kept up to date, and leaves the focus alone', async () => {
    const page = await openPage(console, '/uploads?file=prices');
    await page.getByText('No upload matches.').waitFor();
    const id = await seedUpload(console.aws, { fileId: 'prices', organisationId: 'umbrella' });
    const link = page.getByRole('link', { name: id });
    await link.focus();
    const another = await seedUpload(console.aws, { fileId: 'prices', organisationId: 'umbrella' });
    await page.getByRole('link', { name: another }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`${id}-uploads`);
  });
});
