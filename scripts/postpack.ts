/** npm runs this after it has packed. It puts the repository's package.json back in its place. */
import { fileURLToPath } from 'node:url';
import { restoreManifest } from './package/swap-manifest.ts';

await restoreManifest(fileURLToPath(new URL('../', import.meta.url)));
