import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documents } from '../../../tools/generate/documents.ts';

test('every generated document is current', async () => {
  const stale: string[] = [];
  for (const { path, content } of documents) {
    const current = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
    if (content(current) !== current) {
      stale.push(path);
    }
  }
  expect(stale, 'run npm run generate').toEqual([]);
});
