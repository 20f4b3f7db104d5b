import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyClients, writeItems } from '../support/many-items.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter, type Visitor } from './support/visitor.ts';

/** More than is read with one scan, and than the newest that a filter looks at. */
const count = 1300;

let console: ConsoleWithAws;
let visitor: Visitor;

beforeAll(async () => {
  console = await startConsoleWithAws();
  await writeItems(console.aws, 'clients', manyClients(count));
  visitor = await enter(console);
});
afterAll(() => console.stop());

/** `manyClients` numbers them in the order of their creation. */
const numbersIn = (text: string) =>
  [...text.matchAll(/Nightly export (\d+)</g)].map(([, number]) => Number(number));

const linkIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

const nextIn = (text: string) => linkIn(text, /rel="next" href="([^"]+)"/);

const countingDown = (from: number, length: number) => Array.from({ length }, (_, index) => from - index);

describe('a long list of clients', () => {
  it('is newest first from its first page on, and does not read the whole table', async () => {
    const scansBefore = console.aws.calls.get('Scan') ?? 0;
    const { text } = await visitor.get('/clients');
    expect(text).toContain('50 clients, newest first. There are older ones.');
    expect(numbersIn(text)).toEqual(countingDown(count - 1, 50));
    // One scan of the beginning of the table, and one for each partition of each segment.
    expect((console.aws.calls.get('Scan') ?? 0) - scansBefore).toBeLessThan(60);
    const second = await visitor.get(nextIn(text));
    expect(second.text).toContain('50 clients, newest first, from an older page. There are older ones.');
    expect(numbersIn(second.text)).toEqual(countingDown(count - 51, 50));
    expect(second.text).toContain('href="/clients">Newest');
  });

  it('is searched among the newest, then further, then whole', async () => {
    const { text } = await visitor.get('/clients?q=export+77');
    // 77 and 770 to 779. Of 1300, the newest 800 end at 500.
    expect(numbersIn(text)).toEqual(countingDown(779, 10));
    expect(text).toContain('10 clients found so far, newest first: the newest 800 clients were searched.');
    const second = await visitor.get(nextIn(text));
    expect(numbersIn(second.text)).toEqual([77]);
    const all = await visitor.get(linkIn(text, /href="([^"]+)">Search all of them/));
    expect(numbersIn(all.text)).toEqual([...countingDown(779, 10), 77]);
    expect(all.text).toContain('11 clients, newest first.');
  });

  it('goes on with Next when nothing was found yet', async () => {
    const { text } = await visitor.get('/clients?q=export+12&status=revoked');
    // 126 and 1206, 1215 and so on are revoked: every ninth.
    expect(numbersIn(text)).toEqual([1296, 1287, 1278, 1269, 1260, 1251, 1242, 1233, 1224, 1215, 1206]);
    const none = await visitor.get('/clients?q=export+3');
    expect(numbersIn(none.text)).toEqual([]);
    expect(none.text).toContain('0 clients found so far');
    expect(numbersIn((await visitor.get(nextIn(none.text))).text)).toContain(399);
  });

  it('says that a place in the address does not exist', async () => {
    for (const before of ['x', '2026-99-99T00:00:00Z~a', '2026-01-01T00:00:00Z~']) {
      const answer = await visitor.get(`/clients?before=${encodeURIComponent(before)}`);
      expect(answer.status, before).toBeGreaterThanOrEqual(400);
      expect(answer.text).toContain('Start at its first page');
    }
  });
});
