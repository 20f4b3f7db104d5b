import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listClients } from '../../../../cli/operations/clients.ts';
import { inOrder } from '../../../../cli/operations/newest-first.ts';
import { allOf, mapPages, readPages } from '../../../../cli/operations/pages.ts';
import { listUploads } from '../../../../cli/operations/uploads.ts';
import { streamCsv, streamJson } from '../../../../cli/terminal/list-output.ts';
import { createOutput } from '../../../../cli/terminal/output.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { TextCollector } from '../../../support/text-stream.ts';
import { clientItem, uploadItem } from './items.ts';

let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws();
  for (let hours = 0; hours < 100; hours += 1) {
    await aws.putItem('uploads', uploadItem(hours));
    await aws.putItem('clients', clientItem(`client_${hours}`, hours));
  }
});
afterAll(() => aws.stop());
beforeEach(() => aws.calls.clear());

test('an operation reads a page only when it is asked for', async () => {
  const pages = listUploads(aws.deployment, { organisationId: 'acme' }, { pageSize: 10 });
  const lengths: number[] = [];
  for await (const page of pages) {
    lengths.push(page.length);
    expect(aws.calls.get('Query')).toBe(lengths.length);
    if (lengths.length === 3) {
      break;
    }
  }
  expect(lengths).toEqual([10, 10, 10]);
  expect(aws.calls.get('Query')).toBe(3);
});

test('an operation ends with the page that reaches the limit', async () => {
  const options = { pageSize: 10, limit: 25 };
  expect(await allOf(listUploads(aws.deployment, { fileId: 'orders' }, options))).toHaveLength(25);
  expect(aws.calls.get('Query')).toBe(3);
});

test('a scan for a limit reads every page once', async () => {
  const options = { pageSize: 10, limit: 2 };
  const pages = readPages(aws.deployment, { table: 'ClientsTableName', filter: [], pageSize: 10 });
  const hours = mapPages(pages, ({ client_id }) => ({
    hours: Number(client_id?.S?.slice('client_'.length)),
  }));
  const newest = await allOf(inOrder(hours, (a, b) => a.hours - b.hours, options));
  expect(newest).toEqual([{ hours: 0 }, { hours: 1 }]);
  expect(aws.calls.get('Scan')).toBe(11);
});

test('a small table is read once, for whatever is listed of it', async () => {
  const newest = await allOf(listClients(aws.deployment, {}, { limit: 2 }));
  expect(newest.map(({ client_id }) => client_id)).toEqual(['client_0', 'client_1']);
  expect([...aws.calls]).toEqual([['Scan', 1]]);
});

test('a reader that is slow holds the reading up', async () => {
  let read = 0;
  const waiting: (() => void)[] = [];
  async function* pages() {
    for (; read < 20; read += 1) {
      yield [{ number: read }];
    }
  }
  const stdout = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => void waiting.push(done),
  });
  const output = createOutput({ json: true, stdout: toText(stdout), stderr: new TextCollector(), env: {} });
  const streamed = streamJson(output, pages(), { name: 'data' });
  for (let taken = 0; taken < 21; taken += 1) {
    await expect.poll(() => waiting.length).toBe(1);
    expect(read).toBe(Math.min(taken, 20));
    waiting.shift()?.();
  }
  await streamed;
});

/** A stream of Node, as the admin program gets it. */
function toText(stream: Writable) {
  return {
    write: (text: string) => stream.write(text),
    once: (event: 'drain', listener: () => void) => stream.once(event, listener),
  };
}

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
  ['a=1', 'a=1'],
  ['a "b", c', '"a ""b"", c"'],
  ['a\r\nb', 'a\u{fffd}\u{fffd}b'],
])('the name %j is %j in CSV', async (name, cell) => {
  const stdout = new TextCollector();
  const output = createOutput({ json: false, stdout, stderr: new TextCollector(), env: {} });
  async function* pages() {
    yield [{ name }];
  }
  const fields = [{ name: 'name', value: (row: { name: string }) => row.name, isFreeText: true as const }];
  await streamCsv(output, pages(), fields);
  expect(stdout.text).toBe(`name\r\n${cell}\r\n`);
});
