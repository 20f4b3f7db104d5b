import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Assets, unfinished bundles, and the archives that the CDK's command line uploads. */
const reused = /^(asset\.|bundling-temp-|\.cache$)/;

/**
 * Removes the assets of earlier syntheses from an output folder, and other users' permission to write there.
 * The CDK reuses an asset with the right name without a check of its content.
 */
export function removeAssets(outputFolder: string): void {
  chmodSync(outputFolder, statSync(outputFolder).mode & ~0o022);
  for (const name of readdirSync(outputFolder).filter((it) => reused.test(it))) {
    rmSync(join(outputFolder, name), { recursive: true, force: true });
  }
}
