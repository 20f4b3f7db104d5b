import { describe, expect, test } from 'vitest';
import { seedSigningKeys } from './support/seed.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
await seedSigningKeys(console.aws);
const { text } = await (await enter(console)).get('/signing-keys');
const rows = text.split('<tr>').slice(2);

const inRows = (pattern: RegExp) => rows.map((row) => pattern.exec(row)?.[1]);

describe('the list of signing keys', () => {
  test('gives each key with its id to copy, its state, and which one signs', () => {
    expect(inRows(/data-copy="([^"]+)"/)).toEqual(['current-kid', 'next-kid', 'retired-kid']);
    expect(inRows(/tag \w+">(\w+)/)).toEqual(['current', 'next', 'retired']);
    expect(inRows(/<bdi>(yes)</)).toEqual(['yes', undefined, undefined]);
  });

  test('has no link to a page of a key, which does not exist', () => {
    expect(inRows(/href="(\/signing-keys\/[^"/]+)"/)).toEqual([undefined, undefined, undefined]);
  });
});
