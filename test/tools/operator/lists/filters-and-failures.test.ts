import { attributeOf } from '../../../../tools/operator/description/field.ts';
import { readPage } from '../../../../tools/operator/lists/read.ts';
import { startAws } from '../../../support/aws.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { given, idOf, idsWith, lists, manyListed, type Noun, nouns } from './many-listed.ts';

/**
 * Tests each list over more than two pages and two reads.
 */

const aws = await startAws(manyListed);
const run = adminOf(aws.deployment);

const filtersOf = (noun: Noun) => lists[noun].filters.map(({ name }) => name);

/** Filters to test in each list: none, each filter by itself, and all filters. */
const cases = nouns.flatMap((noun) => {
  const filters = filtersOf(noun);
  const sets = [
    ['no filter', []],
    ...filters.map((one) => [one, [one]] as const),
    ['all filters', filters],
  ] as const;
  return sets.map(([title, given]) => [title, noun, given] as const);
});

describe('a list has all entries that match, and only those, newest first', () => {
  test.for(cases)('by %s of %ss, page by page', async ([, noun, filters]) => {
    const source = await lists[noun].source(aws.deployment, Object.fromEntries(given(noun, filters)));
    const wanted = idsWith(noun, filters);
    const limit = Math.ceil(wanted.length / 3);
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const { entries, next } = await readPage<object>(aws.deployment, source, { after, limit });
      pages.push(entries.map((entry) => String(attributeOf(entry, `${noun}_id`))));
      after = next;
    } while (after !== undefined);
    expect(pages).toEqual([0, 1, 2].map((page) => wanted.slice(page * limit, (page + 1) * limit)));
  });

  test.for(nouns)('by all filters in the command %s list', async (noun) => {
    const filters = filtersOf(noun);
    const flags = given(noun, filters).map(([name, value]) =>
      value === 'true' ? `--${name}` : `--${name}=${value}`,
    );
    const data = (await run(`${noun} list --json`, ...flags)).json().data as Record<string, string>[];
    expect(data.map((entry) => entry[`${noun}_id`])).toEqual(idsWith(noun, filters));
  });
});

describe('a list whose later part cannot be read is an error', () => {
  beforeEach(() => {
    aws.deny(/BatchGetItem/, 1);
  });

  const forms = nouns.flatMap((noun) =>
    ['--csv', '--json', '--limit=300'].map((form) => [noun, form] as const),
  );

  test.for(forms)('in the command %s list %s', async ([noun, form]) => {
    const { code, stdout, stderr } = await run(`${noun} list ${form}`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^error: .+/) });
    expect(stdout).toContain(idOf(noun, 99));
    expect(stdout).not.toContain(']}');
  });
});
