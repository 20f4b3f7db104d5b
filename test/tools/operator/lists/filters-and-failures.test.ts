import { describe, expect, test } from 'vitest';
import { timestamp } from '../../../../storage/attributes.ts';
import { clientList } from '../../../../tools/operator/clients/list.ts';
import { fileList } from '../../../../tools/operator/files/list.ts';
import { uploadList } from '../../../../tools/operator/uploads/list.ts';
import { writeItems } from '../../../support/many-items.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { clientItem, fileItem, hoursEarlier, uploadIdOf, uploadItem } from '../../admin/items.ts';
import { startConsoleWithAws } from '../../console/support/serve.ts';
import { enter } from '../../console/support/visitor.ts';

/** Each list over more than two pages of the console and two reads, in the command, on the pages and in the export. */

const lists = { client: clientList, file: fileList, upload: uploadList };
type Listed = keyof typeof lists;
const listed = Object.keys(lists) as Listed[];

/** An item has what a filter asks for, unless this number divides the number of the item. */
const divisors: Readonly<Record<string, number>> = {
  organisation: 5,
  status: 7,
  name: 11,
  file: 13,
  client: 17,
  request: 19,
};
const [latest, earliest, count] = [5, 250, 260];
const wanted: Readonly<Record<string, string>> = {
  organisation: 'acme',
  name: 'NIGHTLY',
  file: 'file_1',
  client: 'client_1',
  request: 'request-1',
  since: timestamp(hoursEarlier(earliest)),
  until: timestamp(hoursEarlier(latest - 1)),
};
const wantedStatus = { client: 'active', file: 'enabled', upload: 'completed' };

function has(filter: string, index: number): boolean {
  if (filter === 'since' || filter === 'until') {
    return filter === 'since' ? index <= earliest : index >= latest;
  }
  // A client has one organisation.
  return index % (divisors[filter] ?? 1) !== 0 && (filter !== 'client' || has('organisation', index));
}

const idOf = (noun: Listed, index: number) => (noun === 'upload' ? uploadIdOf(index) : `${noun}_${index}`);
const idsWith = (noun: Listed, filters: readonly string[]) =>
  Array.from({ length: count }, (_, index) => index)
    .filter((index) => filters.every((filter) => has(filter, index)))
    .map((index) => idOf(noun, index));

function itemOf(noun: Listed, index: number) {
  const choose = (filter: string, other: string, value = wanted[filter] ?? '') =>
    has(filter, index) ? value : other;
  const organisation_id = choose('organisation', 'umbrella');
  const name = choose('name', 'Daily', 'Nightly export');
  const state = choose('status', 'issued', wantedStatus.upload);
  switch (noun) {
    case 'client':
      return clientItem(idOf(noun, index), index, {
        organisation_id,
        name,
        status: choose('status', 'revoked', wantedStatus.client),
      });
    case 'file':
      return {
        ...fileItem(idOf(noun, index), index, { organisation_id, name }),
        sync_enabled: { BOOL: has('status', index) },
      };
    case 'upload':
      return uploadItem(index, {
        organisation_id,
        state,
        file_id: choose('file', 'other'),
        client_id: choose('client', 'client_other'),
        request_id: choose('request', 'request-2'),
      });
  }
}

const console = await startConsoleWithAws();
const { aws } = console;
for (const noun of listed) {
  await writeItems(
    aws,
    `${noun}s`,
    Array.from({ length: count }, (_, index) => itemOf(noun, index)),
  );
}
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

/** Each filter of each list alone, and all filters of a list together. */
const cases = listed.flatMap((noun) => {
  const filters = lists[noun].filters.map(({ name }) => name);
  const together = [allFilters, noun, filters] as const;
  return [...filters.map((filter) => [filter, noun, [filter]] as const), together];
});

const given = (noun: Listed, filters: readonly string[]) =>
  filters.map((filter): [string, string] => [
    filter,
    filter === 'status' ? wantedStatus[noun] : (wanted[filter] ?? expect.fail(`no value for ${filter}`)),
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
  const forms = listed.flatMap((noun) => (['--csv', '--json'] as const).map((form) => [noun, form] as const));

  /** AWS gives the first part, and refuses every later one. */
  async function failingLater<Result>(act: () => Promise<Result>): Promise<Result> {
    aws.batchesLeft = 1;
    try {
      return await act();
    } finally {
      aws.batchesLeft = Number.POSITIVE_INFINITY;
    }
  }

  test.for(forms)('in the command %s list %s', async ([noun, form]) => {
    const { code, stdout, stderr } = await failingLater(() => run(noun, 'list', form));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error: .+/) });
    expect(stdout).toContain(idOf(noun, 99));
    expect(stdout).not.toMatch(/\]\}\n$/);
  });

  test.for(listed)('in the table of %s list', async (noun) => {
    const { code, stderr } = await failingLater(() => run(noun, 'list'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringContaining(`${noun}s\n`) });
  });

  test.for(listed)('in the CSV of the page of %ss', async (noun) => {
    const csv = failingLater(() => visitor.get(`/${noun}s/+export.csv`));
    await expect(csv).rejects.toThrow('aborted');
  });
});
