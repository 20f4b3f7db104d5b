import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

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
  // For the local run under a debugger: CONTRIBUTING.md, "Debugger".
  const forDebugger = process.env.FILE_SYNC_DEBUG_BUNDLES === '1';
  buildSync({
    ...bundleSettings(entry),
    outfile: output,
    minify: !forDebugger,
    // Without one otherwise: Node.js would take longer to read it than to load the bundle.
    sourcemap: forDebugger && 'inline',
  });
}

/** How esbuild makes the bundle of an entry point. docs/generated/bundles.md says what becomes part of each. */
export function bundleSettings(entry: string) {
  return {
    absWorkingDir: projectRoot,
    entryPoints: [entry],
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
    logLevel: 'warning',
  } satisfies BuildOptions;
}
