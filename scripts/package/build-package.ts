import { access, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { writeBundle } from '../../lib/bundle/bundle-function.ts';
import { buildTool, licencesOf } from '../tools/build-tool.ts';
import { declarations } from './declarations.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Makes the files of the package (docs/package.md): the stack, its types, the bundle of each function, and the tools.
 *
 * @throws {Error} when a package that becomes part of it has no licence text
 */
export async function buildPackage(folder: string): Promise<void> {
  // It would make other bundles, several times as large.
  delete process.env.FILE_SYNC_DEBUG_BUNDLES;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const sources = [...(await buildStack(folder)), ...(await buildFunctions(folder))];
  await writeFile(join(folder, 'LICENCES.txt'), await licencesOf([...sources, htmx]));
  await writeFile(join(folder, 'index.d.cts'), declarations());
  await cp(join(projectRoot, 'console', 'assets'), join(folder, 'assets'), { recursive: true });
  await cp(join(projectRoot, htmx), join(folder, 'assets', 'htmx.js'));
  for (const tool of ['admin', 'upload']) {
    const plugins = [assetsBeside];
    await buildTool({ entry: `bin/${tool}.ts`, fileName: `file-sync-${tool}.mjs`, plugins }, folder);
  }
}

const htmx = 'node_modules/htmx.org/dist/htmx.min.js';

/** The console finds its script of another package beside its own assets, because the package brings no packages. */
const assetsBeside: Plugin = {
  name: 'assets-beside',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]console[\\/]assets\.ts$/ }, async ({ path }) => {
      const before = "createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')";
      const source = await readFile(path, 'utf8');
      if (!source.includes(before)) {
        throw new Error(`console/assets.ts has no ${before}: say here where the package has the script.`);
      }
      return { contents: source.replace(before, "ours('htmx.js')"), loader: 'ts' };
    });
  },
};

/** CommonJS, which apps in either module system can load, as they do the CDK. */
async function buildStack(folder: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['lib/package.ts'],
    outfile: join(folder, 'index.cjs'),
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    external: ['aws-cdk-lib', 'constructs'],
    preserveSymlinks: true,
    plugins: [prebuiltFunctions],
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'moduleUrl' },
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

const prebuiltFunctions: Plugin = {
  name: 'prebuilt-functions',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/bundle-function\.ts$/ }, () => ({
      path: join(projectRoot, 'lib', 'bundle', 'prebuilt-function.ts'),
    }));
  },
};

async function buildFunctions(folder: string): Promise<readonly string[]> {
  const sources = [];
  for (const name of await functionNames()) {
    const target = join(folder, 'functions', name);
    await mkdir(target, { recursive: true });
    sources.push(...writeBundle(name, target));
  }
  return sources;
}

/** The folders of `lambdas/` with an entry point. */
async function functionNames(): Promise<readonly string[]> {
  const entries = await readdir(join(projectRoot, 'lambdas'));
  const found = await Promise.all(
    entries.map((name) =>
      access(join(projectRoot, 'lambdas', name, 'handler.ts')).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}
