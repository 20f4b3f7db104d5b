import { describe, expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { manyClients } from '../../support/many-items.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { hurriedClock, startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

/** More items than one read gives. */
const count = 120;

/** In the order of issue. */
const uploadIds: string[] = [];

const console = await startConsoleWithAws({}, { clients: [...manyClients(count)] });
const file = { organisationId: 'umbrella', syncEnabled: true };
await createFile(console.aws.deployment, { ...file, name: hostileName, fileId: 'orders' });
await createFile(console.aws.deployment, { ...file, name: 'Prices', fileId: 'prices', syncEnabled: false });
for (const minutesAgo of [480, 470, 460]) {
  const upload = { fileId: 'orders', organisationId: 'umbrella', minutesAgo, state: 'expired' } as const;
  uploadIds.push(await seedUpload(console.aws, upload));
}
const visitor = await enter(console);

const nextIn = (text: string) => /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
const uploadsIn = (text: string) => [...text.matchAll(/id="upload-([^"]+)"/g)].map(([, id]) => id);

describe('a list', () => {
  test('says how many rows a page has, and leads back to the newest', async () => {
    const { text } = await visitor.get('/clients');
    expect(text).toContain('50 clients, the newest first. There are older ones.');
    expect((await visitor.get(nextIn(text))).text).toContain('href="/clients">Newest');
  });

  test('shows its filters in their fields, and says when nothing matches', async () => {
    const { text } = await visitor.get('/files?name=ONCLICK&organisation=umbrella&status=enabled');
    expect(text).toContain('<option selected="">enabled</option>');
    expect(text).toContain('name="name" aria-label="Name or id" value="ONCLICK"');
    const none = await visitor.get('/files?organisation=umbrella&status=deleted');
    expect(none.text).toContain('No file matches.');
  });

  test('shows and takes times in the zone that the reader chose, else in UTC', async () => {
    // Calcutta is 5 h 30 min ahead of UTC, the whole year.
    const at = Date.now() - 475 * 60_000;
    const wall = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
    const chosen = { cookie: `${visitor.cookie}; file-sync-zone=Asia/Calcutta` };
    const [inUtc, inZone] = [wall(at), wall(at + 330 * 60_000)];
    const latest = uploadIds.slice(1).reverse();
    expect(uploadsIn((await visitor.get(`/uploads?file=orders&since=${inUtc}`)).text)).toEqual(latest);
    const { text } = await visitor.get(`/uploads?file=orders&since=${inZone}`, chosen);
    expect(uploadsIn(text)).toEqual(latest);
    expect(text).toContain('Times in Calcutta');
    expect(text).toMatch(/title="[-\d]+ [:\d]+ Asia\/Calcutta, [-\d]+ [:\d]+ UTC"/);
    const unknown = { cookie: `${visitor.cookie}; file-sync-zone=Nowhere/Else` };
    expect((await visitor.get('/uploads', unknown)).text).toContain('Times in UTC');
  });

  test('of uploads names files and clients, with one state a row', async () => {
    const { client_id: clientId } = await seedClient(console.aws.deployment, 'Daily export');
    const upload = { fileId: 'prices', organisationId: 'umbrella', clientId, minutesAgo: 3 };
    const completed = { state: 'completed', body: 'x', superseded: true } as const;
    const id = await seedUpload(console.aws, { ...upload, ...completed });
    const { text } = await visitor.get('/uploads?file=prices');
    const [, row = ''] = text.split('<tbody><tr>');
    expect(row.match(/<span class="tag/g)).toHaveLength(1);
    const shown = [
      '>superseded<',
      '>Prices<',
      '>Daily export<',
      `data-copy="${id}"`,
      ' data-ago=""',
      '>30 s<',
    ];
    expect(shown.filter((part) => row.includes(part))).toEqual(shown);
  });

  test.for([
    ['/uploads?since=yesterday', 400, 'yesterday'],
    ['/uploads?client=none', 404, 'There is no client &quot;none&quot;.'],
    ['/clients?after=x', 400, 'Start at the first page of the list'],
    ['/uploads/+export.csv?client=none', 404, 'There is no client'],
  ] as const)('says what is wrong with a filter: %s', async ([address, expected, told]) => {
    const { status, text } = await visitor.get(address);
    expect([status, text.includes(told)]).toEqual([expected, true]);
  });

  test('stops looking when the time is up, and looks further', async () => {
    const jumping = await startConsole(console.aws.deployment, { now: hurriedClock(10_000) });
    const hurried = await enter(jumping);
    const first = await hurried.get('/clients?status=deleted');
    expect(first.text).toContain('0 clients found among 100 that were looked at. There was no time for more');
    expect(first.text).toContain('Look further');
    expect(first.text).toContain('client list');
    expect(first.text).not.toContain('No client matches.');
    const second = await hurried.get(nextIn(first.text));
    expect(second.text).toContain(`0 clients found among ${count + 1 - 100} that were looked at.`);
  });
});
