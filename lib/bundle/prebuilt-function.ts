import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

/**
 * Takes the place of `bundle-function.ts` in the package, which holds the bundles already made, and neither their
 * sources nor a bundler.
 */

export const bundleHandler = 'index.handler';

/**
 * The bundle of one function, as the package has it. It is copied in place of being bundled, so that the template is
 * the same as from the repository: the hash of the code, and the metadata of the asset.
 */
export function bundleOf(name: string): Code {
  const folder = fileURLToPath(new URL(`functions/${name}`, import.meta.url));
  return Code.fromAsset(folder, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle: (outputFolder) => {
          cpSync(folder, outputFolder, { recursive: true });
          return true;
        },
      },
    },
  });
}
