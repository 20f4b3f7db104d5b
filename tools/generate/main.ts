/**
 * Writes the generated documents. `npm run generate` also runs the tests that write a page of their results:
 * docs/generated/.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { documents } from './documents.ts';

for (const { path, content } of documents) {
  const file = new URL(`../../${path}`, import.meta.url);
  const current = await readFile(file, 'utf8').catch(() => '');
  const text = content(current);
  if (text !== current) {
    await writeFile(file, text);
    process.stdout.write(`${path} is written\n`);
  }
}
