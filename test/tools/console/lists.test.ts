import { manyClients } from '../../support/many-items.ts';
import { find, linksIn, missingIn, parse, textOf } from './support/read-page.ts';
import { hostileName, seedFile } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { hurriedClock, startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

/** Number of clients: more than one read returns. */
const count = 120;

/** Upload ids in order of issue. */
const uploadIds: string[] = [];

const console = await startConsoleWithAws({}, { clients: [...manyClients(count)] });
await seedFile(console.aws.deployment, 'orders', { organisationId: 'umbrella', name: hostileName });
for (const minutesAgo of [480, 470, 460]) {
  const upload = { fileId: 'orders', organisationId: 'umbrella', minutesAgo, state: 'expired' } as const;
  uploadIds.push(await seedUpload(console.aws, upload));
}
const visitor = await enter(console);

const nextIn = (text: string) => linksIn(text, 'rel="next"')[0] ?? '';

describe('a list', () => {
  test('leads to the next rows with the same filters, and back to the newest', async () => {
    const first = (await visitor.get('/clients?status=active')).text;
    expect(textOf(first)).toMatch(
      / 0000…0001 .* 50 clients, the newest first\. There are older ones\. Older Revoke clients Reinstate clients$/,
    );
    expect(nextIn(first)).toContain('/clients?status=active&after=');
    const second = await visitor.get(nextIn(first));
    expect(missingIn(second.text, ['role=link[name="Newest"][href="/clients?status=active"]'])).toEqual([]);
  });

  test('reads and shows times in the zone that the reader chose', async () => {
    // Calcutta is 5 h 30 min ahead of UTC all year.
    const since = new Date(Date.now() - (475 - 330) * 60_000).toISOString().slice(0, 19);
    const chosen = { cookie: `${visitor.cookie}; file-sync-zone=Asia/Calcutta` };
    const { text } = await visitor.get(`/uploads?file=orders&since=${since}`, chosen);
    const uploads = uploadIds.slice(1).reverse();
    expect(linksIn(text, 'class="main"')).toEqual(uploads.map((id) => `/uploads/${id}`));
    const button = 'role=button[name="Times in Calcutta"][data-zone="Asia/Calcutta"]';
    expect(missingIn(text, [button])).toEqual([]);
    const [time] = find(parse(text), 'css=td time[data-ago=""]');
    expect(time?.getAttribute('title')).toMatch(/^[-\d]+ [:\d]+ Asia\/Calcutta, [-\d]+ [:\d]+ UTC$/);
    expect(time?.textContent).toMatch(/^[-\d]+ \d\d:\d\d$/);
  });

  test('stops when the time is up, and continues by a link', async () => {
    const jumping = await startConsole({ ...console.aws.deployment, now: hurriedClock(10_000) });
    const hurried = await enter(jumping);
    const first = await hurried.get('/clients?status=deleted');
    expect(first.text).toContain('0 clients found among 51 that were read. The limit of a page was reached');
    expect(first.text).toContain('Continue');
    expect(first.text).toContain('client list');
    expect(first.text).not.toContain('No client matches.');
    const second = await hurried.get(nextIn(first.text));
    expect(second.text).toContain('0 clients found among 51 that were read.');
  });
});
