import type { Fact } from '../../../tools/operator/description/entity.ts';
import { cellText, detailsOf } from '../../../tools/terminal/entity.ts';

const fact = (label: string, kind: Fact['kind'], value: unknown, group?: string) =>
  ({ name: label, label, group, of: undefined, kind, value, tone: 'plain' }) as Fact;

const [at, later] = ['2026-03-01T12:00:00.000Z', '2026-03-01T13:00:00.000Z'];
const timeline = [
  { at, event: 'URL issued', detail: 'to 192.0.2.1' },
  { at: later, event: 'URL expires' },
];

test('one entity has a line for each fact, with groups and exact numbers', () => {
  const facts = [
    fact('Name', 'text', 'orders'),
    fact('Size', 'bytes', 1536, 'Content'),
    fact('Type', 'text', 'text/csv', 'Content'),
    fact('Secret ID', 'lines', ['one', 'two']),
    fact('Timeline', 'timeline', timeline),
  ];
  expect(detailsOf(facts)).toEqual([
    ['Name', 'orders'],
    ['Content', ''],
    ['  Size', '1.5 KiB (1,536 bytes)'],
    ['  Type', 'text/csv'],
    ['Secret ID', 'one'],
    ['Secret ID', 'two'],
    ['Timeline', `${at}  URL issued: to 192.0.2.1`],
    ['', `${later}  URL expires`],
  ]);
});

test.for<readonly [string, Fact | undefined]>([
  ['-', undefined],
  ['2026-03-01T12:00:00Z', fact('At', 'time', at)],
  ['a.123Z b', fact('Name', 'text', 'a.123Z b')],
  ['1.5 KiB', fact('Size', 'bytes', 1536)],
  ['one two', fact('Secret ID', 'lines', ['one', 'two'])],
])('a cell is %s', ([text, value]) => expect(cellText(value)).toBe(text));
