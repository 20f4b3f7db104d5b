import { Writable } from 'node:stream';
import { defineEntity } from '../../../tools/operator/description/entity.ts';
import { text } from '../../../tools/operator/description/field.ts';
import { streamJson, streamTable } from '../../../tools/terminal/list-output.ts';
import { TextCollector } from '../../support/text-stream.ts';

const entity = defineEntity<{ readonly name: string }>()({
  noun: 'file',
  fields: { name: text('Name') },
  listed: ['name'],
});

async function* files() {
  yield [{ name: 'a' }, { name: 'b' }];
  yield [{ name: 'c' }, { name: 'd' }];
  yield [{ name: 'e' }];
}

test.for([
  [undefined, 'NAME\na\nb\nc\nd\ne\n', '5 files\n'],
  [5, 'NAME\na\nb\nc\nd\ne\n', '5 files\n'],
  [3, 'NAME\na\nb\nc\n', 'The first 3 files. To see more, add --limit 30.\n'],
  [2, 'NAME\na\nb\n', 'The first 2 files. To see more, add --limit 20.\n'],
] as const)('a table of several pages, of which %s rows are wanted', async ([limit, rows, told]) => {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const output = { json: false, stdout, stderr };
  await streamTable(output, files(), entity, {
    limit,
    beforeRows: () => undefined,
    names: async () => new Map(),
  });
  expect([stdout.text, stderr.text]).toEqual([rows, told]);
});

test('a slow reader slows the reading of pages', async () => {
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
  const text = {
    write: (part: string) => stdout.write(part),
    once: (event: 'drain', listener: () => void) => stdout.once(event, listener),
  };
  const streamed = streamJson({ stdout: text }, pages());
  const seen: number[] = [];
  for (let taken = 0; taken < 21; taken += 1) {
    await vi.waitUntil(() => waiting.length === 1, { interval: 1 });
    seen.push(read);
    waiting.shift()?.();
  }
  await streamed;
  expect(seen).toEqual(Array.from({ length: 21 }, (_, taken) => Math.min(taken, 20)));
});
