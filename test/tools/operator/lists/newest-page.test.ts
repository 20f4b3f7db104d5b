import { readPage } from '../../../../tools/operator/lists/read.ts';
import { clientItem, fileItem, uploadItem } from '../../admin/items.ts';
import { startConsoleWithAws } from '../../console/support/serve.ts';
import { enter } from '../../console/support/visitor.ts';
import { lists } from './many-listed.ts';

const numbers = Array.from({ length: 150 }, (_, number) => number);
const ownedBy = (number: number) => ({ organisation_id: `org-${number}` });

/** Console of 150 organisations with one client, one file and one upload each. */
const console = await startConsoleWithAws(
  {},
  {
    clients: numbers.map((number) => clientItem(`client-${number}`, number, ownedBy(number))),
    files: numbers.map((number) => fileItem(`file-${number}`, number, ownedBy(number))),
    uploads: numbers.map((number) =>
      uploadItem(number, { ...ownedBy(number), file_id: `file-${number}`, client_id: `client-${number}` }),
    ),
  },
);
const { deployment, calls, units } = console.aws;

test.for([
  ['client', 1, 0.5 + 6],
  ['upload', 8, 8 * 0.5 + 6],
] as const)('the newest %ss cost the same with any number of organisations', async ([noun, Query, cost]) => {
  calls.clear();
  units.taken = 0;
  const source = await lists[noun].source(deployment, {});
  const { entries } = await readPage<object>(deployment, source, { limit: 5 });
  expect(entries).toHaveLength(5);
  expect([Object.fromEntries(calls), units.taken]).toEqual([{ Query, BatchGetItem: 1 }, cost]);
});

test.for([
  ['/uploads', 51],
  ['/uploads?short=1', 9],
  ['/uploads?short=1&file=file-0', 2],
  ['/uploads?short=1&client=client-0', 2],
] as const)('a poll of %s uses few read units', async ([page, rows]) => {
  const visitor = await enter(console);
  const first = await visitor.get(page);
  units.taken = 0;
  const poll = await visitor.get(page, { 'x-console-live': '1' });
  const rowsOf = (text: string) => text.match(/<tr>.*?<\/tr>/gs);
  expect(rowsOf(poll.text)).toEqual(rowsOf(first.text));
  // Half a unit for each row, for the names of its file and its client.
  expect(units.taken).toBeLessThanOrEqual(10 + rows * 1.5);
});
