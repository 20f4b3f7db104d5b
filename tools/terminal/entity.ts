import type { ResultView } from '../operator/description/action.ts';
import type { Fact, ListColumn } from '../operator/description/entity.ts';
import { momentText } from '../operator/description/field.ts';
import { spoken } from '../operator/description/noun.ts';
import { formatBytes, formatSize } from '../operator/text.ts';
import { type Output, showJson, showList, showOne } from './output.ts';
import type { Column, Details } from './table.ts';

// Entity as text for a terminal. --json prints the entity itself.

/** Facts with their labels. The facts of a group are below the name of the group. */
function detailsOf(facts: readonly Fact[]): Details {
  return facts.flatMap((fact, index): Details => {
    const { label, group, kind } = fact;
    const heading: Details = group === undefined || facts[index - 1]?.group === group ? [] : [[group, '']];
    const named = group === undefined ? label : `  ${label}`;
    const lines = linesOf(fact, formatSize);
    return [
      ...heading,
      ...lines.map((line, at) => [kind === 'timeline' && at > 0 ? '' : named, line] as const),
    ];
  });
}

/** The columns of a table. */
export function tableColumns(columns: readonly ListColumn[]): readonly Column[] {
  return columns.map(({ name, heading, kind }) => ({
    heading: heading.toUpperCase(),
    ...((kind === 'bytes' || kind === 'count') && { align: 'right' }),
    // People choose the ids of organisations.
    isId: kind === 'id' && name !== 'organisation_id',
  }));
}

/**
 * Returns the text of a cell. In a table, times are without milliseconds, and sizes without the exact number
 * of bytes.
 */
export function cellText(fact: Fact | undefined): string {
  const lines = fact === undefined ? ['-'] : linesOf(fact, formatBytes);
  return lines.join(' ').replace(/\.\d{3}Z$/, 'Z');
}

function linesOf(fact: Fact, sizeText: (bytes: number) => string): readonly string[] {
  switch (fact.kind) {
    case 'bytes':
      return [sizeText(fact.value)];
    case 'lines':
      return fact.value;
    case 'timeline':
      return fact.value.map((moment) => `${moment.at}  ${momentText(moment)}`);
    case 'id':
    case 'text':
    case 'opaque':
    case 'time':
    case 'count':
    case 'state':
      return [fact.value];
  }
}

/** Prints one or more entities: as JSON, or as text for people. */
export function showResult(output: Output, { json, facts, table }: ResultView): void {
  if (table !== undefined) {
    const cells = table.rows.map((row) => row.map(cellText));
    showList(output, json, tableColumns(table.columns), cells, spoken(table.noun));
  } else if (facts !== undefined) {
    showOne(output, json, detailsOf(facts));
  } else if (output.json) {
    showJson(output, json);
  }
}
