/**
 * Builds the tools and the reference page for people without this repository, in dist/:
 *
 * npm run build:tools
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { referencePage } from '../operator/reference/page.ts';
import { adminTool, buildTool, uploadTool } from './build-tool.ts';

for (const tool of [uploadTool, adminTool]) {
  const { bytes } = await buildTool(tool, fileURLToPath(new URL('../../dist', import.meta.url)));
  process.stdout.write(`dist/${tool.fileName}: ${bytes} bytes\n`);
}

const { html } = await referencePage();
await writeFile(new URL('../../dist/file-sync-api.html', import.meta.url), html);
process.stdout.write(`dist/file-sync-api.html: ${Buffer.byteLength(html)} bytes\n`);
