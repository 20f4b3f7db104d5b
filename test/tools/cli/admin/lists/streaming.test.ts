import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { csvRecords } from '../../../../../tools/operator/csv.ts';
import { streamJson } from '../../../../../tools/terminal/list-output.ts';
import { TextCollector } from '../../../../support/text-stream.ts';

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
  const output = { json: true, stdout: toText(stdout), stderr: new TextCollector() };
  const streamed = streamJson(output, pages());
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

test('CSV disarms what a spreadsheet takes for a formula, and leaves the other names as they are', () => {
  const cells: Readonly<Record<string, string>> = {
    '=1+1': "'=1+1",
    '+1': "'+1",
    '-1': "'-1",
    '@SUM(A1)': "'@SUM(A1)",
    ' =1': "' =1",
    '＝1': "'＝1",
    '|cmd': "'|cmd",
    'a=1': 'a=1',
    'a;=1': "a;'=1",
    'a; @b': "a;' @b",
    'a;"=1+1': `"a;'""=1+1"`,
    'a; "b"': '"a; ""b"""',
    'a,b;-1': `"a,b;'-1"`,
    '\t=1': "'\u{fffd}=1",
    'a "b", c': '"a ""b"", c"',
    'a\r\nb': 'a\u{fffd}\u{fffd}b',
  };
  const found = Object.keys(cells).map((name) => [name, csvRecords([{ name }], ['name']).slice(0, -2)]);
  expect(Object.fromEntries(found)).toEqual(cells);
});
