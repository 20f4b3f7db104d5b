import { describe, expect, it } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { manyClients, writeItems } from '../../support/many-items.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { hurriedClock, startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

/** More items than one read gives. */
const count = 120;

/** In the order of issue. */
const uploadIds: string[] = [];

const console = await startConsoleWithAws();
await writeItems(console.aws, 'clients', manyClients(count));
const file = { organisationId: 'umbrella', syncEnabled: true };
await createFile(console.aws.deployment, { ...file, name: hostileName, fileId: 'orders' });
await createFile(console.aws.deployment, { ...file, name: 'Prices', fileId: 'prices', syncEnabled: false });
for (let index = 0; index < 55; index += 1) {
  const upload = { fileId: 'orders', organisationId: 'umbrella', minutesAgo: 1000 - 10 * index };
  const state = index === 7 ? 'cancelled' : 'expired';
  uploadIds.push(await seedUpload(console.aws, { ...upload, state }));
}
const visitor = await enter(console);

const addressIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
const nextIn = (text: string) => addressIn(text, /rel="next" href="([^"]+)"/);

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
const uploadRow = /id="upload-([^"]+)"/g;

describe('a list', () => {
  it('of clients is newest first, on every page', async () => {
    const { text } = await visitor.get('/clients');
    expect(text).toContain('50 clients, the newest first. There are older ones.');
    const second = await visitor.get(nextIn(text));
    expect(second.text).toContain('href="/clients">Newest');
    const numbers = Array.from({ length: count }, (_, index) => String(count - 1 - index));
    expect(await throughout('/clients', clientNumber)).toEqual(numbers);
  });

  it('is filtered, and its links, fields and export have the same filters', async () => {
    const query = '?name=ONCLICK&organisation=umbrella&status=enabled';
    const { text } = await visitor.get(`/files${query}`);
    expect([...text.matchAll(/class="main" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/files/orders',
    ]);
    expect(text).toContain('<option selected="">enabled</option>');
    expect(text).toContain('name="name" aria-label="Name or id" value="ONCLICK"');
    const csv = await visitor.get(addressIn(text, /href="(\/files\/\+export\.csv[^"]+)"/));
    expect(csv.text.match(/^\w+/gm)).toEqual(['file_id', 'orders']);
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

  it('shows and takes times in the zone that the reader chose, and in UTC without a choice', async () => {
    // Calcutta is 5 h 30 min ahead of UTC, the whole year.
    const at = Date.now() - 475 * 60_000;
    const wall = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
    const chosen = { cookie: `${visitor.cookie}; file-sync-zone=Asia/Calcutta` };
    const [inUtc, inZone] = [wall(at), wall(at + 330 * 60_000)];
    const latest = uploadIds.slice(53).reverse();
    expect(await throughout(`/uploads?file=orders&since=${inUtc}`, uploadRow)).toEqual(latest);
    const { text } = await visitor.get(`/uploads?file=orders&since=${inZone}`, chosen);
    expect([...text.matchAll(uploadRow)].map(([, id]) => id)).toEqual(latest);
    expect(text).toContain('Times in Calcutta');
    expect(text).toMatch(/title="[-\d]+ [:\d]+ Asia\/Calcutta, [-\d]+ [:\d]+ UTC"/);
    const unknown = { cookie: `${visitor.cookie}; file-sync-zone=Nowhere/Else` };
    expect((await visitor.get('/uploads', unknown)).text).toContain('Times in UTC');
  });

  it('of uploads names files and clients, with one state a row and an id to copy', async () => {
    const { client_id } = await seedClient(console.aws.deployment, 'Daily export');
    const upload = { fileId: 'prices', organisationId: 'umbrella', clientId: client_id };
    const id = await seedUpload(console.aws, {
      ...upload,
      state: 'completed',
      body: 'x',
      superseded: true,
      minutesAgo: 3,
    });
    const { text } = await visitor.get('/uploads?file=prices');
    const [, row = ''] = text.split('<tbody><tr>');
    expect(row.match(/<span class="tag/g)).toHaveLength(1);
    for (const shown of [
      '>superseded<',
      '>Prices<',
      '>Daily export<',
      `data-copy="${id}"`,
      ' data-ago=""',
      '>30 s<',
    ]) {
      expect(row, shown).toContain(shown);
    }
  });

  it('says what is wrong with a filter', async () => {
    const wrong = [
      ['/uploads?since=yesterday', 400, 'yesterday'],
      ['/uploads?client=none', 404, 'There is no client &quot;none&quot;.'],
      ['/clients?after=x', 400, 'Start at the first page of the list'],
      ['/uploads/+export.csv?client=none', 404, 'There is no client'],
    ] as const;
    for (const [address, expected, told] of wrong) {
      const { status, text } = await visitor.get(address);
      expect([status, text.includes(told)], address).toEqual([expected, true]);
    }
  });

  it('stops looking when the time is up, says how far it looked, and looks further', async () => {
    const jumping = await startConsole(console.aws.deployment, { now: hurriedClock(10_000) });
    const hurried = await enter(jumping);
    const first = await hurried.get('/clients?status=deleted');
    expect(first.text).toContain('0 clients found among 100 that were looked at. There was no time for more');
    expect(first.text).toContain('Look further');
    const second = await hurried.get(nextIn(first.text));
    expect(second.text).toContain(`0 clients found among ${count + 1 - 100} that were looked at.`);
  });
});
