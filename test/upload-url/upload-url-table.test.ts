import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Storage, startStorage } from '../support/upload-storage.ts';
import type { Came } from './requests.ts';
import { type Row, rows } from './rows.ts';
import { renderTable } from './table.ts';

/** Every row of docs/generated/upload-url.md, sent to the local S3. */

let storage: Storage;
const answers: { readonly row: Row; readonly came: Came }[] = [];

beforeAll(async () => {
  storage = await startStorage();
});
afterAll(() => storage?.end());

test.each(rows)('answers as S3 documents it: $sent', async (row) => {
  const came = await row.act(storage);
  answers.push({ row, came });
  expect({ status: came.status, code: came.code }).toEqual({ code: undefined, ...row.documented });
});

test('the answers are docs/generated/upload-url.md, or else run npm run generate', async () => {
  await expect(renderTable(answers)).toMatchFileSnapshot('../../docs/generated/upload-url.md');
});
