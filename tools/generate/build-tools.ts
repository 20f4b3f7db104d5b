/**
 * Builds the tools for people without this repository, in dist/:
 *
 * npm run build:tools
 */
import { fileURLToPath } from 'node:url';
import { adminTool, buildTool, uploadTool } from './build-tool.ts';

for (const tool of [uploadTool, adminTool]) {
  const { bytes } = await buildTool(tool, fileURLToPath(new URL('../../dist', import.meta.url)));
  process.stdout.write(`dist/${tool.fileName}: ${bytes} bytes\n`);
}
