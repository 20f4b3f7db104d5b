import { renderDetails, shortened, startTable } from '../../../tools/terminal/table.ts';

// A text is cut only between grapheme clusters.
test.for([
  ['orders', 6, 'orders'],
  ['orders', 5, 'orde…'],
  ['注文データ', 6, '注文…'],
  ['注文データ', 5, '注文…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
  ['orders', 1, '…'],
  ['👩‍👩‍👧'.repeat(100_000), 4, '👩‍👩‍👧…'],
] as const)('%.10s is shortened to %i columns', ([text, columns, expected]) => {
  expect(shortened(text, columns)).toBe(expected);
});

describe('a table in parts', () => {
  const columns = ['ID', 'Name', 'Size'].map((heading) => {
    return { name: '', heading, isNumber: heading === 'Size', isId: false };
  });
  const row = (id: string, name = 'name', bytes = '1') => [id, name, bytes];

  test('has one heading, and columns that grow with a later part', () => {
    const render = startTable(columns);
    expect(render([row('a')])).toBe('ID  NAME  SIZE\na   name     1\n');
    expect(render([row('longer')])).toBe('longer  name     1\n');
    expect(render([row('b', '注文')])).toBe('b       注文     1\n');
  });

  test('has no column that is wider than the terminal, however long a name is', () => {
    const rows = [row('a', '😀'.repeat(100_000)), row('b', 'short')];
    expect(startTable(columns, 16)(rows)).toBe(
      `ID  NAME       …\na   ${'😀'.repeat(5)}…\nb   short      …\n`,
    );
  });
});

test('details stand in a column, and those without a value are left out', () => {
  const pairs = [['Name', 'a\u001b[2J'] as const, ['Ends', undefined] as const, ['Id', 'b'] as const];
  expect(renderDetails(pairs)).toBe('Name  a\u{fffd}[2J\nId    b\n');
});
