import type { ResultView } from '../operator/description/action.ts';
import { csvText } from '../operator/description/csv.ts';
import { columnsOf, type Entity, factOf, factsOf, rowNounOf } from '../operator/description/entity.ts';
import type { Pages } from '../operator/lists/list.ts';
import { counted } from '../operator/text.ts';
import { cellText, detailsOf } from './entity.ts';
import { countText, jsonText, note, type Output, showJson, type TextStream, tableWidth } from './output.ts';
import { renderDetails, startTable } from './table.ts';

/**
 * Writes a list as `{"data":[...]}`, page by page. Output starts after the first page was read. A later
 * failure leaves the JSON without its end, which marks the list as incomplete.
 */
export async function streamJson({ stdout }: Pick<Output, 'stdout'>, pages: Pages<object>): Promise<void> {
  let before = '{"data":[';
  for await (const page of pages) {
    if (page.length > 0) {
      await write(stdout, `${before}${page.map(jsonText).join(',')}`);
      before = ',';
    }
  }
  await write(stdout, `${before === ',' ? '' : before}]}\n`);
}

/** Writes a list as CSV, page by page. */
export async function streamCsv({ stdout }: Output, pages: Pages<object>, entity: Entity): Promise<void> {
  for await (const text of csvText(entity, pages)) {
    await write(stdout, text);
  }
}

interface StreamTableOptions {
  /**
   * Reads the names of the entities that rows refer to, by id. A terminal shows them in place of ids. Default:
   * none.
   */
  readonly names?: (rows: readonly object[]) => Promise<ReadonlyMap<string, string>>;
  /** Maximum number of rows. For a longer list, a note explains how to see the rest. */
  readonly limit?: number | undefined;
  /** Called before rows are written. */
  readonly beforeRows?: () => void;
}

/**
 * Writes a list as a table, page by page, then a count and notes on stderr. On a terminal, the table fits its
 * width.
 */
export async function streamTable(
  output: Output,
  pages: Pages<object> | readonly (readonly object[])[],
  entity: Entity,
  { limit = Number.POSITIVE_INFINITY, beforeRows, names }: StreamTableOptions = {},
): Promise<void> {
  const { stdout } = output;
  const noun = rowNounOf(entity);
  const render = startTable(columnsOf(entity), tableWidth(stdout));
  let count = 0;
  for await (const page of pages) {
    const rows = page.slice(0, Math.max(limit - count, 0));
    count += page.length;
    const known = await names?.(rows);
    beforeRows?.();
    if (rows.length > 0) {
      const cellOf = (row: object, name: string) => {
        const fact = factOf(entity, row, name);
        return (fact?.kind === 'id' && fact.of && known?.get(fact.value)) || cellText(fact);
      };
      await write(stdout, render(rows.map((row) => entity.listed.map((name) => cellOf(row, name)))));
    }
  }
  beforeRows?.();
  const more = `The first ${counted(limit, noun)}. To see more, add --limit ${10 * limit}.`;
  note(output, count > limit ? more : countText(count, noun));
}

/** Writes one or more entities: as JSON, or as text for people. */
export async function showResult(output: Output, { json, entity, of, all }: ResultView): Promise<void> {
  if (output.json) {
    showJson(output, json);
  } else if (entity && all) {
    await streamTable(output, [all], entity);
  } else if (entity && of) {
    output.stdout.write(renderDetails(detailsOf(factsOf(entity, of))));
  }
}

/** Writes, and waits for a slow reader. Otherwise, unread text would fill the memory. */
async function write(stream: TextStream, text: string): Promise<void> {
  if (stream.write(text) === false) {
    await new Promise<void>((resolve) => stream.once?.('drain', resolve));
  }
}
