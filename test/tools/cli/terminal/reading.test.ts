import { expect, test } from 'vitest';
import { createOutput } from '../../../../tools/terminal/output.ts';
import { createReading } from '../../../../tools/terminal/reading.ts';
import { TextCollector } from '../../../support/text-stream.ts';

/** What is written to standard error while three pages are read for one that is shown. */
async function shownOn(stdout: TextCollector, stderr: TextCollector, failing = false): Promise<string> {
  const reading = createReading(createOutput({ json: false, stdout, stderr, env: {} }));
  async function* pages() {
    for (const items of [10, 20, 30]) {
      reading.progress(items);
    }
    if (failing) {
      throw new Error('no page');
    }
    yield ['shown'];
  }
  const show = async () => {
    for await (const [entry] of reading.shownWith(pages())) {
      stderr.write(`[${entry}]`);
    }
  };
  await show().catch((error: Error) => stderr.write(`[${error.message}]`));
  return stderr.text;
}

const terminal = () => new TextCollector({ isTTY: true });
const clear = '\r\u001b[2K';

test('a terminal is told how far the reading is, on a line that is gone before the list or the reason', async () => {
  const line = `${clear}Reading: 20 items so far${clear}Reading: 30 items so far${clear}`;
  expect(await shownOn(terminal(), terminal())).toBe(`${line}[shown]`);
  expect(await shownOn(terminal(), terminal(), true)).toBe(`${line}[no page]`);
});

test('nothing else is told', async () => {
  expect(await shownOn(new TextCollector(), terminal())).toBe('[shown]');
  expect(await shownOn(terminal(), new TextCollector())).toBe('[shown]');
});
