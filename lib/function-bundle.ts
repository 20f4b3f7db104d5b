import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** File and export that Lambda calls in a bundle. */
export const bundleHandler = 'index.handler';

/**
 * The bundle of one function: `lambdas/{name}/handler.ts` and all that it imports, in one ES module. Nothing comes
 * from the runtime, whose SDK changes without a deployment. Built by esbuild on this machine, so that no container
 * engine is needed.
 */
export function bundleOf(name: string): Code {
  const folder = join(projectRoot, 'lambdas', name);
  return Code.fromAsset(folder, {
    // Of what was built: the same code is the same asset, whoever builds it and wherever.
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
    // The oldest Node.js that runs a bundle: the one of the local run.
    target: 'node20.19',
    format: 'esm',
    // ES modules first: only they can be cut down to what is used.
    mainFields: ['module', 'main'],
    alias: {
      '@aws-sdk/credential-provider-node': join(projectRoot, 'lib', 'bundle', 'no-credential-chain.ts'),
    },
    minify: true,
    legalComments: 'none',
    // No source maps: reading one takes longer than loading the bundle.
    sourcemap: false,
    logLevel: 'warning',
  });
}
