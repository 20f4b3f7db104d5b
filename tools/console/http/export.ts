import { type CsvField, csvHeader, csvRecords } from '../../operator/csv.ts';
import type { Pages } from '../../operator/pages.ts';
import { jsonText } from '../../terminal/output.ts';
import type { PageContext } from './environment.ts';

/**
 * Answers with a whole list as a file: CSV, or JSON as `--json` has it. It is sent while it is read. If reading fails, the
 * connection is broken, so that nobody takes a part for the whole.
 */
export function exportList<Row extends object>(
  c: PageContext,
  list: {
    readonly name: string;
    readonly format: 'csv' | 'json';
    readonly pages: Pages<Row>;
    readonly fields: readonly CsvField<Row>[];
  },
): Response {
  const { name, format, pages, fields } = list;
  const text = format === 'csv' ? csvText(pages, fields) : jsonList(pages);
  c.header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json');
  c.header('content-disposition', `attachment; filename="${name}.${format}"`);
  return c.body(streamOf(text));
}

async function* csvText<Row>(pages: Pages<Row>, fields: readonly CsvField<Row>[]): AsyncGenerator<string> {
  yield csvHeader(fields);
  for await (const page of pages) {
    yield csvRecords(page, fields);
  }
}

async function* jsonList(pages: Pages<object>): AsyncGenerator<string> {
  let before = '{"data":[';
  for await (const page of pages) {
    if (page.length > 0) {
      yield `${before}${page.map(jsonText).join(',')}`;
      before = ',';
    }
  }
  yield before === ',' ? ']}\n' : `${before}]}\n`;
}

/** A page is read when the browser has taken the one before. */
function streamOf(text: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await text.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(encoder.encode(value));
      }
    },
    cancel: async () => {
      await text.return(undefined);
    },
  });
}
