import { describe, expect, test } from 'vitest';
import { offersIn, rowsIn } from './support/read-page.ts';
import { seedSigningKeys } from './support/seed.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
await seedSigningKeys(console.aws);
const { text } = await (await enter(console)).get('/signing-keys');

describe('the list of signing keys', () => {
  test('has each key with its state, which one signs, and what can be done', () => {
    const [headings, ...rows] = rowsIn(text);
    expect(headings?.slice(0, 3)).toEqual(['Key ID', 'State', 'Signs']);
    expect(rows.map((row) => [...row.slice(0, 3), row.at(-1)])).toEqual([
      ['current-kid', 'current', 'yes', 'Revoke the key'],
      ['next-kid', 'next', '–', 'Revoke the key'],
      ['retired-kid', 'retired', '–', 'Revoke the key'],
    ]);
    expect(offersIn(text)).toEqual([
      'button /signing-keys/+rotate',
      'button risky /signing-keys/+revoke-all',
      'button risky /signing-keys/current-kid/revoke',
      'button risky /signing-keys/next-kid/revoke',
      'button risky /signing-keys/retired-kid/revoke',
    ]);
  });

  test('has the id of a key to copy, and no link to a page of the key', () => {
    expect(text).toContain('data-copy="current-kid"');
    expect(text).not.toContain('href="/signing-keys/current-kid"');
  });
});
