/**
 * Builds the tools, the reference page and the client libraries for people without this repository, in dist/:
 *
 * npm run build:tools
 */
import { execFileSync } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { adminTool, buildTool, uploadTool } from './build-tool.ts';
import { referencePage } from './reference/page.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

for (const tool of [uploadTool, adminTool]) {
  const { bytes } = await buildTool(tool, `${projectRoot}dist`);
  process.stdout.write(`dist/${tool.fileName}: ${bytes} bytes\n`);
}

const { html } = await referencePage();
await writeFile(`${projectRoot}dist/file-sync-api.html`, html);
process.stdout.write(`dist/file-sync-api.html: ${Buffer.byteLength(html)} bytes\n`);

const pack = ['pack', '--silent', '--workspace', 'packages/client', '--pack-destination', 'dist'];
process.stdout.write(`dist/${execFileSync('npm', pack, { cwd: projectRoot, encoding: 'utf8' })}`);
await copyFile(`${projectRoot}packages/client/python/file_sync.py`, `${projectRoot}dist/file_sync.py`);
process.stdout.write('dist/file_sync.py\n');
