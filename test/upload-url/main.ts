import '../support/quiet-sdk.ts';
import { writeFile } from 'node:fs/promises';
import { startStorage } from '../support/upload-storage.ts';
import { rows } from './rows.ts';
import { renderTable } from './table.ts';

/**
 * Writes docs/upload-url.md from the answers of the local S3:
 *
 *     node --import tsx test/upload-url/main.ts
 */
const storage = await startStorage();
const answers = [];
for (const row of rows) answers.push({ row, came: await row.act(storage) });
await storage.end();
await writeFile(new URL('../../docs/upload-url.md', import.meta.url), renderTable(answers));
