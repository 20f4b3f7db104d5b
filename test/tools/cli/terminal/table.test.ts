import { describe, expect, test } from 'vitest';
import { displayWidth, shortened } from '../../../../tools/terminal/display-width.ts';
import { type Column, startTable } from '../../../../tools/terminal/table.ts';

test('the width of a text is what a terminal shows', () => {
  const widths = {
    orders: 6,
    Zoë: 3,
    'e\u0301': 1,
    注文: 4,
    ｱﾂ: 2,
    ＡＢ: 4,
    한국: 4,
    '、。': 4,
    '👍🏽': 2,
    '👩‍👩‍👧': 2,
    '🇳🇱': 2,
    '❤️': 2,
    '© 2026 ™': 8,
    שלום: 4,
    '\u2068א\u2069': 1,
    '\u200b': 0,
  };
  const found = Object.fromEntries(Object.keys(widths).map((text) => [text, displayWidth(text)]));
  expect(found).toEqual(widths);
});

test('a text is shortened to so many columns, between what a terminal shows as one', () => {
  for (const [text, columns, expected] of [
    ['orders', 6, 'orders'],
    ['orders', 5, 'orde…'],
    ['注文データ', 6, '注文…'],
    ['注文データ', 5, '注文…'],
    ['a👩‍👩‍👧b', 3, 'a…'],
    ['orders', 1, '…'],
  ] as const) {
    expect(shortened(text, columns)).toBe(expected);
  }
});

describe('a table in parts', () => {
  interface Row {
    readonly id: string;
    readonly name: string;
    readonly status: string;
  }
  const columns: readonly Column<Row>[] = [
    { heading: 'ID', value: ({ id }) => id },
    { heading: 'NAME', value: ({ name }) => name, shortest: 6, dropOrder: 1 },
    { heading: 'STATUS', value: ({ status }) => status, dropOrder: 2 },
  ];
  const row = (id: string, name = 'name', status = 'active'): Row => ({ id, name, status });

  test('has one heading, and columns that grow with a later part', () => {
    const table = startTable(columns, { colour: false });
    expect(table.render([row('a')])).toBe('ID  NAME  STATUS\na   name  active\n');
    expect(table.render([row('longer')])).toBe('longer  name  active\n');
    expect(table.render([row('b')])).toBe('b       name  active\n');
  });

  test('shortens first, then drops, and leaves ids alone', () => {
    const shownAt = (width: number) => {
      const table = startTable(columns, { colour: false }, width);
      return [table.render([row('0123456789', 'a long name')]), table.dropped()];
    };
    expect(shownAt(31)).toEqual(['ID          NAME         STATUS\n0123456789  a long name  active\n', []]);
    expect(shownAt(26)).toEqual(['ID          NAME    STATUS\n0123456789  a lon…  active\n', []]);
    expect(shownAt(25)).toEqual(['ID          NAME\n0123456789  a long name\n', ['STATUS']]);
    expect(shownAt(5)).toEqual(['ID\n0123456789\n', ['NAME', 'STATUS']]);
  });

  test('keeps the columns of its first part, and the width of the terminal', () => {
    const table = startTable(columns, { colour: false }, 22);
    table.render([row('a')]);
    const later = table.render([row('01234567', 'a long name')]);
    expect(later).toBe('01234567  a lon…  active\n');
    expect(table.dropped()).toEqual([]);
  });

  test('isolates what runs from right to left, on a terminal only', () => {
    const hebrew = [row('a', 'דוח')];
    expect(startTable(columns, { colour: false }, 80).render(hebrew)).toContain('\u2068דוח\u2069  ');
    expect(startTable(columns, { colour: false }).render(hebrew)).toContain('דוח ');
  });

  test('takes more rows than a call takes arguments', () => {
    const rows = Array.from({ length: 200_000 }, () => row('a'));
    expect(startTable(columns, { colour: false }, 80).render(rows)).toHaveLength(17 * 200_001);
  });
});
