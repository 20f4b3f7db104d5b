import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';
import { openapiDocument } from '../../contract/openapi/document.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** File and export of a bundle that Lambda calls. */
export const bundleHandler = 'index.handler';

const bundleFile = 'index.mjs';

/**
 * Returns the bundle of one function: `lambdas/{name}/handler.ts` and all its imports, in one ES module. The
 * SDK is part of it, because the runtime's own SDK changes without a deployment. esbuild creates it on this
 * machine, so no container engine is needed.
 */
export function bundleOf(name: string): Code {
  const folder = join(projectRoot, 'lambdas', name);
  return Code.fromAsset(folder, {
    // Hash of the built bundle: the same code creates the same asset on every machine.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      local: {
        tryBundle: (outputFolder) => {
          // The CDK created the folder with mode 0777. A new folder contains no files of other users.
          rmSync(outputFolder, { recursive: true });
          mkdirSync(outputFolder);
          writeBundle(name, outputFolder);
          chmodSync(outputFolder, 0o755);
          chmodSync(join(outputFolder, bundleFile), 0o644);
          return true;
        },
      },
    },
  });
}

const leftOut = join(projectRoot, 'lib', 'bundle', 'left-out.ts');

/** Writes the bundle of one function into a folder. */
export function writeBundle(name: string, folder: string): void {
  // For the local run under a debugger: CONTRIBUTING.md, "Debugger".
  const forDebugger = process.env.FILE_SYNC_DEBUG_BUNDLES === '1';
  buildSync({
    absWorkingDir: projectRoot,
    entryPoints: [join(projectRoot, 'lambdas', name, 'handler.ts')],
    outfile: join(folder, bundleFile),
    bundle: true,
    platform: 'node',
    // The oldest version of Node.js that runs a bundle. The local run supports it.
    target: 'node20.19',
    ...moduleWithoutImports,
    // ES modules first: esbuild can remove their unused code.
    mainFields: ['module', 'main'],
    alias: {
      '@aws-sdk/credential-provider-node': leftOut,
      '@aws-sdk/middleware-endpoint-discovery': leftOut,
      '@smithy/core/event-streams': leftOut,
    },
    define: {
      // Only the code of `well-known` uses the description, so only its bundle contains it.
      apiDescription: JSON.stringify(openapiDocument()),
      // The SDK checks if a body is of one of these types, and no body is. Reading the globals would load web
      // streams.
      ReadableStream: 'undefined',
      Blob: 'undefined',
    },
    minify: !forDebugger,
    // Without a source map: Node.js would take longer to read the map than to load the bundle.
    sourcemap: forDebugger && 'inline',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/**
 * An ES module without imports: CommonJS inside, where `require` is `process.getBuiltinModule`. A bundle
 * imports only modules of Node.js. With `import`, Node.js would read every export of each module, and so open
 * the standard streams (`node:process`) and load WebCrypto (`node:crypto`).
 */
const moduleWithoutImports = {
  format: 'cjs',
  supported: { 'dynamic-import': false },
  banner: { js: 'const require = process.getBuiltinModule, module = { exports: {} };' },
  footer: { js: 'var bundledHandler = module.exports.handler;\nexport { bundledHandler as handler };' },
} as const satisfies BuildOptions;
