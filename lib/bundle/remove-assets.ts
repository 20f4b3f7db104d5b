import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Assets, unfinished bundles, and the archives that the CDK's command line uploads. */
const takenAsTheyAre = /^(asset\.|bundling-temp-|\.cache$)/;

/**
 * Removes the assets of earlier syntheses from an output folder, and the right of other users to write there. The CDK
 * takes an asset as it is if its name exists, so it would deploy what another user has put there.
 */
export function removeAssets(outputFolder: string): void {
  chmodSync(outputFolder, statSync(outputFolder).mode & ~0o022);
  for (const name of readdirSync(outputFolder).filter((it) => takenAsTheyAre.test(it))) {
    rmSync(join(outputFolder, name), { recursive: true, force: true });
  }
}
