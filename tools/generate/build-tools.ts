/**
 * Makes the tools that are given to people who do not have this repository, in dist/:
 *
 *     npm run build:tools
 */
import { fileURLToPath } from 'node:url';
import { buildTool, uploadTool } from './build-tool.ts';

const { bytes } = await buildTool(uploadTool, fileURLToPath(new URL('../../dist', import.meta.url)));
process.stdout.write(`dist/${uploadTool.fileName}: ${bytes} bytes\n`);
