import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/**
 * Writes the worker's program as JavaScript, so that workers start without a TypeScript loader: what runs beside
 * a bundle is only what Lambda has there too.
 *
 * @returns path of the program
 */
export function writeWorkerFile(directory: string): string {
  const source = readFileSync(new URL('./worker.ts', import.meta.url), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' });
  const path = join(directory, 'function-worker.mjs');
  writeFileSync(path, code);
  return path;
}
