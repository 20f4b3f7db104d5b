import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedSigningKeys } from './support/seed.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

let console: ConsoleWithAws;

beforeAll(async () => {
  console = await startConsoleWithAws();
  seedSigningKeys(console.aws);
});
afterAll(() => console.stop());

describe('the signing keys', () => {
  it('are shown with their states, and with which of them signs', async () => {
    const { text } = await (await enter(console)).get('/signing-keys');
    const rows = text.split('<tr>').slice(2);
    const shown = rows.map((row) =>
      [/data-copy="([^"]+)"/, /tag \w+">(\w+)/].map((part) => part.exec(row)?.[1]),
    );
    expect(shown).toEqual([
      ['current-kid', 'current'],
      ['next-kid', 'next'],
      ['retired-kid', 'retired'],
    ]);
    expect(rows.map((row) => row.includes('>signs<'))).toEqual([true, false, false]);
  });
});
