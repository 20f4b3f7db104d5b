import { beforeEach, describe, expect, test } from 'vitest';
import { type Item, timestamp } from '../../../../storage/attributes.ts';
import { clientList } from '../../../../tools/operator/clients/list.ts';
import { fileList } from '../../../../tools/operator/files/list.ts';
import { uploadList } from '../../../../tools/operator/uploads/list.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { clientItem, fileItem, hoursEarlier, uploadIdOf, uploadItem } from '../../admin/items.ts';
import { startConsoleWithAws } from '../../console/support/serve.ts';
import { enter } from '../../console/support/visitor.ts';

/** Each list over more than two pages of the console and two reads, in the command, on the pages and in the export. */

const lists = { client: clientList, file: fileList, upload: uploadList };
type Noun = keyof typeof lists;
const nouns = Object.keys(lists) as Noun[];

const [latest, earliest] = [5, 290];
const indexes = Array.from({ length: 300 }, (_, index) => index);

/** What is asked for. Each noun has other states. */
const wanted: Readonly<Record<string, string>> = {
  organisation: 'acme',
  name: 'Nightly export',
  file: 'file_1',
  client: 'client_1',
  request: 'request-1',
  since: timestamp(hoursEarlier(earliest)),
  until: timestamp(hoursEarlier(latest - 1)),
};
const wantedStatus = { client: 'active', file: 'enabled', upload: 'completed' };

const dividedBy = (divisor: number) => (index: number) => index % divisor === 0;

/** Which items lack what a filter asks for: a few of each page. */
const lacks: Readonly<Record<string, (index: number) => boolean>> = {
  organisation: dividedBy(5),
  status: dividedBy(7),
  name: dividedBy(11),
  file: dividedBy(13),
  request: dividedBy(17),
  // A client has one organisation.
  client: (index) => index % 19 === 0 || index % 5 === 0,
  since: (index) => index > earliest,
  until: (index) => index < latest,
};
const has = (filter: string, index: number) => lacks[filter]?.(index) === false;

function itemOf(noun: Noun, index: number): Item {
  const of = (filter: string, value = wanted[filter] ?? '', other = 'x') =>
    has(filter, index) ? value : other;
  const named = { organisation_id: of('organisation'), name: of('name') };
  switch (noun) {
    case 'client':
      return clientItem(`client_${index}`, index, { ...named, status: of('status', 'active', 'revoked') });
    case 'file':
      return { ...fileItem(`file_${index}`, index, named), sync_enabled: { BOOL: has('status', index) } };
    case 'upload':
      return uploadItem(index, {
        ...named,
        file_id: of('file'),
        client_id: of('client'),
        request_id: of('request'),
        state: of('status', 'completed', 'issued'),
      });
  }
}

const idOf = (noun: Noun, index: number) => (noun === 'upload' ? uploadIdOf(index) : `${noun}_${index}`);
const idsWith = (noun: Noun, filters: readonly string[]) =>
  indexes.filter((index) => filters.every((filter) => has(filter, index))).map((index) => idOf(noun, index));

const itemsOf = (noun: Noun) => indexes.map((index) => itemOf(noun, index));
const items = { clients: itemsOf('client'), files: itemsOf('file'), uploads: itemsOf('upload') };
const console = await startConsoleWithAws({}, items);
const { aws } = console;
const run = adminOf(aws.deployment);
const visitor = await enter(console);

const idsIn = (text: string) =>
  [...text.matchAll(/class="main"[^>]*href="\/[a-z]+\/([^"]+)"/g)].map(([, id]) => id);
const linkIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&');

/** The ids on each page of a list, as "Older" leads from page to page. */
async function pagesFrom(address: string) {
  const pages: (readonly (string | undefined)[])[] = [];
  for (let next: string | undefined = address; next !== undefined; ) {
    const { text } = await visitor.get(next);
    pages.push(idsIn(text));
    next = linkIn(text, /rel="next" href="([^"]+)"/);
  }
  return pages;
}

const allFilters = 'all filters';

/** No filter, each filter of each list alone, and all filters of a list together. */
const cases = nouns.flatMap((noun) => {
  const filters = lists[noun].filters.map((filter) => filter.name);
  const sets = [
    ['no filter', []],
    ...filters.map((one) => [one, [one]] as const),
    [allFilters, filters],
  ] as const;
  return sets.map(([title, given]) => [title, noun, given] as const);
});

const given = (noun: Noun, filters: readonly string[]) =>
  filters.map((filter): [string, string] => [
    filter,
    filter === 'status' ? wantedStatus[noun] : (wanted[filter] ?? expect.fail(filter)),
  ]);

describe('a list has all entries that match, newest first, and no other', () => {
  test.for(cases)('by %s in the command %s list', async ([, noun, filters]) => {
    const flags = given(noun, filters).map(([name, value]) => `--${name}=${value}`);
    const data = (await run(noun, 'list', '--json', ...flags)).json().data as Record<string, string>[];
    expect(data.map((entry) => entry[`${noun}_id`])).toEqual(idsWith(noun, filters));
  });

  test.for(cases)('by %s on each page of %ss', async ([, noun, filters]) => {
    const pages = await pagesFrom(`/${noun}s?${new URLSearchParams(given(noun, filters))}`);
    expect(pages.flat()).toEqual(idsWith(noun, filters));
    expect(pages.length).toBeGreaterThan(2);
  });

  test.for(cases.filter(([name]) => name === allFilters))(
    'by %s in the CSV of the page of %ss',
    async ([, noun, filters]) => {
      const { text } = await visitor.get(`/${noun}s?${new URLSearchParams(given(noun, filters))}`);
      const csv = await visitor.get(linkIn(text, /href="([^"]+csv[^"]*)"/) ?? '');
      expect(csv.headers['content-disposition']).toBe(`attachment; filename="${noun}s.csv"`);
      const [, ...rows] = csv.text.trimEnd().split('\r\n');
      expect(rows.map((row) => row.split(',')[0])).toEqual(idsWith(noun, filters));
    },
  );

  test.for([
    ['/clients/client_1', 'upload', 'client'],
    ['/files/file_1', 'upload', 'file'],
    ['/organisations/acme', 'client', 'organisation'],
    ['/organisations/acme', 'file', 'organisation'],
    ['/organisations/acme', 'upload', 'organisation'],
  ] as const)('where %s leads to each %s of this %s', async ([page, noun, filter]) => {
    const { text } = await visitor.get(page);
    const all = linkIn(text, new RegExp(`href="(/${noun}s\\?[^"]+)"`)) ?? '';
    expect((await pagesFrom(all)).flat()).toEqual(idsWith(noun, [filter]));
  });
});

describe('a list of which a later part cannot be read is never taken for whole', () => {
  beforeEach(() => {
    aws.deny(/BatchGetItem/, 1);
  });

  const forms = nouns.flatMap((noun) =>
    ['--csv', '--json', '--limit=300'].map((form) => [noun, form] as const),
  );

  test.for(forms)('in the command %s list %s', async ([noun, form]) => {
    const { code, stdout, stderr } = await run(noun, 'list', form);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error: .+/) });
    expect(stdout).toContain(idOf(noun, 99));
    expect(stdout).not.toContain(']}');
  });

  test.for(nouns)('in the CSV of the page of %ss', async (noun) => {
    await expect(visitor.get(`/${noun}s/+export.csv`)).rejects.toThrow('aborted');
  });
});
