import { csvHeader, csvRecords } from '../../operator/description/csv.ts';
import type { Pages } from '../../operator/lists/list.ts';
import type { PageContext } from './environment.ts';

/**
 * Answers with a whole list as a file of CSV. It is sent while it is read. If reading fails, the connection is broken, so
 * that nobody takes a part for the whole.
 */
export function exportList<Row extends object>(
  c: PageContext,
  list: {
    readonly name: string;
    readonly pages: Pages<Row>;
    readonly fields: readonly string[];
  },
): Response {
  const { name, pages, fields } = list;
  c.header('content-type', 'text/csv; charset=utf-8');
  c.header('content-disposition', `attachment; filename="${name}.csv"`);
  return c.body(ReadableStream.from(csvText(pages, fields)).pipeThrough(new TextEncoderStream()));
}

async function* csvText(pages: Pages<object>, fields: readonly string[]): AsyncGenerator<string> {
  yield csvHeader(fields);
  for await (const page of pages) {
    yield csvRecords(page, fields);
  }
}
