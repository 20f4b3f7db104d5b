import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeBundle } from '../../lib/bundle/bundle-function.ts';
import { eventKinds } from './setting.ts';

const peers = fileURLToPath(new URL('peers', import.meta.url));

export const peerNames = ['token-sdk', 'sync-sdk'] as const;

/** Returns the path of a function's bundle in a folder of bundles. */
export function bundleIn(folder: string, name: string): string {
  return join(folder, name, 'index.mjs');
}

/** Writes the bundles of the functions, as they are deployed. */
export async function writeFunctions(folder: string): Promise<void> {
  for (const name of eventKinds) {
    await mkdir(join(folder, name), { recursive: true });
    writeBundle(name, join(folder, name));
  }
}

/** Writes the peers, bundled as the documentation of esbuild and of the SDK suggests. */
export async function writePeers(folder: string): Promise<void> {
  for (const name of peerNames) {
    await build({
      entryPoints: [join(peers, `${name}.ts`)],
      outfile: bundleIn(folder, name),
      bundle: true,
      platform: 'node',
      target: 'node20.19',
      format: 'esm',
      mainFields: ['module', 'main'],
      minify: true,
      legalComments: 'none',
      logLevel: 'error',
    });
  }
}
