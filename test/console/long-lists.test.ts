import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyClients, writeItems } from '../support/many-items.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter, type Visitor } from './support/visitor.ts';

/** More than is read at a time. */
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
  it('is newest first from its first page on, on every page', async () => {
    const { text } = await visitor.get('/clients');
    expect(text).toContain('50 clients, newest first. There are older ones.');
    expect(numbersIn(text)).toEqual(countingDown(count - 1, 50));
    const second = await visitor.get(nextIn(text));
    expect(second.text).toContain('50 clients, newest first, from an older page. There are older ones.');
    expect(numbersIn(second.text)).toEqual(countingDown(count - 51, 50));
    expect(second.text).toContain('href="/clients">Newest');
  });

  it('is searched for a name as far as there is time, and further with Next', async () => {
    const found: number[] = [];
    let next = '/clients?q=export+77';
    while (next !== '') {
      const { text } = await visitor.get(next);
      found.push(...numbersIn(text));
      next = nextIn(text);
    }
    expect(found).toEqual([...countingDown(779, 10), 77]);
  });

  it('says that a place in the address does not exist', async () => {
    for (const before of ['x', '2026-01-01T00:00:00Z~']) {
      const answer = await visitor.get(`/clients?before=${encodeURIComponent(before)}`);
      expect(answer.status, before).toBeGreaterThanOrEqual(400);
      expect(answer.text).toContain('Start at its first page');
    }
  });
});
