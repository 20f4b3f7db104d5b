/**
 * npm runs this before it packs, and scripts/postpack.ts afterwards (docs/package.md):
 *
 *     npm pack
 *
 * It makes the package's files in dist/package, and puts the package's package.json in place of the repository's.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './package/build-package.ts';
import { putPackedManifest } from './package/swap-manifest.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

await buildPackage(join(root, 'dist', 'package'));
await putPackedManifest(root);
