import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documents } from '../../../tools/generate/documents.ts';

const named = documents.map(({ path, content }) => [path, content] as const);

test.for(named)('%s is what `npm run generate` writes', async ([path, content]) => {
  const current = await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
  expect(current, `${path} is not current: run npm run generate`).toBe(content(current));
});
