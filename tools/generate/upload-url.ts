import { startStorage } from '../../test/support/upload-storage.ts';
import { rows } from '../../test/upload-url/rows.ts';
import { renderTable } from '../../test/upload-url/table.ts';

/** The page docs/generated/upload-url.md: sends every row's requests to the local S3. */
export async function uploadUrlDocument(): Promise<string> {
  const storage = await startStorage();
  try {
    const answers = [];
    for (const row of rows) {
      answers.push({ row, came: await row.act(storage) });
    }
    return renderTable(answers);
  } finally {
    await storage.end();
  }
}
