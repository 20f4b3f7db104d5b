import { expect, test } from 'vitest';
import { startStorage } from '../support/upload-storage.ts';
import type { Came } from './requests.ts';
import { type Row, rows } from './rows.ts';
import { renderTable } from './table.ts';

test('the local S3 answers each request as S3 documents it, and as docs/generated/upload-url.md says, or else run npm run generate', async () => {
  const storage = await startStorage();
  const answers: { readonly row: Row; readonly came: Came }[] = [];
  try {
    for (const row of rows) {
      answers.push({ row, came: await row.act(storage) });
    }
  } finally {
    await storage.end();
  }
  const others = answers.filter(
    ({ row: { documented }, came }) => came.status !== documented.status || came.code !== documented.code,
  );
  expect(others).toEqual([]);
  await expect(renderTable(answers)).toMatchFileSnapshot('../../docs/generated/upload-url.md');
});
