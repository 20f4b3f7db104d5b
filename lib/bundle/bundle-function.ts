import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** The file and the export of a bundle that Lambda calls. */
export const bundleHandler = 'index.handler';

/**
 * The bundle of one function: `lambdas/{name}/handler.ts` and everything that it imports, in one ES module. The SDK is
 * part of it, because the runtime's own SDK changes without a deployment. esbuild makes it on this machine, so that no
 * container engine is needed.
 */
export function bundleOf(name: string): Code {
  const folder = join(projectRoot, 'lambdas', name);
  return Code.fromAsset(folder, {
    // The hash of the built bundle: the same code gives the same asset on every machine.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle: (outputFolder) => {
          bundle(join(folder, 'handler.ts'), join(outputFolder, 'index.mjs'));
          return true;
        },
      },
    },
  });
}

function bundle(entry: string, output: string): void {
  buildSync({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    platform: 'node',
    // The oldest version of Node.js that runs a bundle. The local run supports it.
    target: 'node20.19',
    format: 'esm',
    // ES modules first: esbuild can remove their unused code.
    mainFields: ['module', 'main'],
    alias: {
      '@aws-sdk/credential-provider-node': join(projectRoot, 'lib', 'bundle', 'no-credential-chain.ts'),
    },
    minify: true,
    legalComments: 'none',
    // No source maps: Node.js would take longer to read one than to load the bundle.
    sourcemap: false,
    logLevel: 'warning',
  });
}
