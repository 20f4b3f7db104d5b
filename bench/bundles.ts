import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { build } from 'esbuild';
import { bundleOf } from '../lib/bundle/bundle-function.ts';

/** Bundles of functions and of peers, in a folder of their own. */
export interface Bundles {
  /** Path of the bundle of a function, as it is deployed. */
  readonly ofFunction: (name: string) => Promise<string>;
  /** Path of the bundle of a program in bench/programs/. */
  readonly ofProgram: (name: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

export async function makeBundles(): Promise<Bundles> {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
  return {
    ofFunction: (name) => bundleFunction(name, join(folder, name)),
    ofProgram: async (name) => {
      const outfile = join(folder, `${basename(name)}.mjs`);
      await bundleProgram(join('bench', 'programs', `${name}.ts`), outfile);
      return outfile;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Lets the CDK make the asset, so that it is exactly what a deployment uploads. */
async function bundleFunction(name: string, outdir: string): Promise<string> {
  bundleOf(name).bind(new Stack(new App({ outdir })));
  const files = await readdir(outdir, { recursive: true });
  const entry = files.find((file) => /^asset\.\w+\/index\.[mc]?js$/.test(file));
  if (entry === undefined) {
    throw new Error(`The asset of ${name} has no index file`);
  }
  return join(outdir, entry);
}

async function bundleProgram(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    // Some packages are CommonJS, and load the modules of Node.js with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}
