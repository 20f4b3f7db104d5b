import type { Shown } from '../operator/description/action.ts';
import type { Fact, ListColumn } from '../operator/description/entity.ts';
import { momentText } from '../operator/description/field.ts';
import { spoken } from '../operator/description/noun.ts';
import { formatBytes, formatSize } from '../operator/text.ts';
import { type Output, showJson, showList, showOne } from './output.ts';
import type { Column, Details } from './table.ts';

// What people see of an entity on a terminal. --json prints the entity itself.

/** Each fact with its label. The facts of a group stand below the name of the group. */
function detailsOf(facts: readonly Fact[]): Details {
  return facts.flatMap((fact, index): Details => {
    if (fact.kind === 'timeline') {
      return fact.value.map((moment, line) => [
        line === 0 ? fact.label : '',
        `${moment.at}  ${momentText(moment)}`,
      ]);
    }
    const lines = fact.kind === 'lines' ? fact.value : [factText(fact, formatSize)];
    if (fact.group === undefined) {
      return lines.map((line) => [fact.label, line] as const);
    }
    const heading: Details = facts[index - 1]?.group === fact.group ? [] : [[fact.group, '']];
    return [...heading, ...lines.map((line) => [`  ${fact.label}`, line] as const)];
  });
}

/** The columns of a table. */
export function tableColumns(columns: readonly ListColumn[]): readonly Column[] {
  return columns.map(({ heading, kind }) => ({
    heading: heading.toUpperCase(),
    ...((kind === 'bytes' || kind === 'count') && { align: 'right' }),
  }));
}

/** The text of a cell. A time has no milliseconds in a table, and a size no exact number of bytes. */
export function cellText(fact: Fact | undefined): string {
  return fact === undefined ? '-' : factText(fact, formatBytes).replace(/\.\d{3}Z$/, 'Z');
}

function factText(fact: Fact, sizeText: (bytes: number) => string): string {
  if (fact.kind === 'bytes') {
    return sizeText(fact.value);
  }
  if (fact.kind === 'timeline') {
    return fact.value.map(momentText).join(', ');
  }
  return fact.kind === 'lines' ? fact.value.join(' ') : fact.value;
}

/** Prints one entity or several: as JSON, or as text for people. */
export function showResult(output: Output, { json, facts, table }: Shown): void {
  if (table !== undefined) {
    const cells = table.rows.map((row) => row.map(cellText));
    showList(output, json, tableColumns(table.columns), cells, spoken(table.noun));
  } else if (facts !== undefined) {
    showOne(output, json, detailsOf(facts));
  } else if (output.json) {
    showJson(output, json);
  }
}
