import { expect, test } from 'vitest';
import { readPage } from '../../../../tools/operator/lists/read.ts';
import { namesFor } from '../../../../tools/operator/uploads/names.ts';
import { startAws } from '../../../support/aws.ts';
import { clientItem, fileItem, uploadItem } from '../../admin/items.ts';
import { startConsoleWithAws } from '../../console/support/serve.ts';
import { enter } from '../../console/support/visitor.ts';
import { lists, type nouns } from './many-listed.ts';

/** Creates the items of organisations with one client, one file and one upload each. */
function itemsOf(organisations: number) {
  const numbers = Array.from({ length: organisations }, (_, number) => number);
  const owned = (number: number) => ({ organisation_id: `org-${number}` });
  return {
    clients: numbers.map((number) => clientItem(`client-${number}`, number, owned(number))),
    files: numbers.map((number) => fileItem(`file-${number}`, number, owned(number))),
    uploads: numbers.map((number) =>
      uploadItem(number, { ...owned(number), file_id: `file-${number}`, client_id: `client-${number}` }),
    ),
  };
}

const few = await startAws(itemsOf(10));
const console = await startConsoleWithAws({}, itemsOf(400));
const many = console.aws;

/** Counts the calls and read units for the page with the five newest entries. */
async function costOf({ deployment, calls, units }: typeof few, noun: (typeof nouns)[number]) {
  calls.clear();
  units.taken = 0;
  const { entries } = await readPage<object>(deployment, await lists[noun].source(deployment, {}), {
    limit: 5,
  });
  return { entries: entries.length, calls: Object.fromEntries(calls), units: units.taken };
}

test.for([
  ['client', 1, 0.5 + 6],
  ['upload', 8, 8 * 0.5 + 6],
] as const)('the newest %ss cost the same with any number of organisations', async ([noun, Query, units]) => {
  const cost = { entries: 5, calls: { Query, BatchGetItem: 1 }, units };
  expect([await costOf(few, noun), await costOf(many, noun)]).toEqual([cost, cost]);
});

test.for([
  ['/uploads', 51],
  ['/overview/latest', 9],
  ['/files/file-0', 9],
  ['/clients/client-0', 9],
] as const)('a poll of %s uses few read units', async ([page, rows]) => {
  const visitor = await enter(console);
  const first = await visitor.get(page);
  many.units.taken = 0;
  const poll = await visitor.get(page, { 'x-console-live': '1' });
  const rowsOf = (text: string) => text.match(/<tr>.*?<\/tr>/gs);
  expect(rowsOf(poll.text)).toEqual(rowsOf(first.text));
  expect(many.units.taken).toBeLessThanOrEqual(10 + rows / 2);
});

test('polls read only new names, and other pages read all names again', async () => {
  const { deployment, putItem } = few;
  const namesIn = async (rows: readonly string[], isPoll: boolean) => {
    const { files } = await namesFor(
      deployment,
      rows.map((file_id) => ({ file_id })),
      isPoll,
    );
    return rows.map((id) => files.get(id));
  };
  const [known, added] = ['file-0', 'file-1'];
  const names = [`${known}.csv`, `${added}.csv`];
  expect(await namesIn([known], false)).toEqual([names[0]]);
  await putItem('files', fileItem(known, 0, { name: 'new' }));
  expect(await namesIn([known, added], true)).toEqual(names);
  expect(await namesIn([known, added], false)).toEqual(['new', names[1]]);
});
