import type { Fact } from '../operator/description/entity.ts';
import { momentText } from '../operator/description/field.ts';
import { formatBytes, formatSize } from '../operator/text.ts';
import type { Details } from './table.ts';

// Entity as text for a terminal. --json prints the entity itself.

/** Facts with their labels. The facts of a group are below the name of the group. */
export function detailsOf(facts: readonly Fact[]): Details {
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
