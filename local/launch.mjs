/**
 * Runs `bin/local.ts`: translates it and all that it imports into one file, then loads that in this process. A TypeScript
 * loader would work too, but it keeps a thread and its caches for as long as the process lives. They need more memory
 * than the whole local run. This file is JavaScript because nothing can translate it.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
// Inside node_modules, so that packages are found from there.
const cache = `${projectRoot}node_modules/.cache/file-sync-api/`;

/** Gives each module its own address, so that it finds the files beside it. */
const ownAddress = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
};

const { outputFiles } = await build({
  absWorkingDir: projectRoot,
  entryPoints: ['bin/local.ts'],
  outfile: `${cache}local.mjs`,
  write: false,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  plugins: [ownAddress],
  logLevel: 'error',
});
await stop();
await import(pathToFileURL(await store(outputFiles[0])).href);

/** Stores it under a name that follows from its content, so that different versions can start at the same time. */
async function store({ contents, hash }) {
  const path = `${cache}local-${hash.replaceAll(/\W/g, '')}.mjs`;
  const unfinished = `${path}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
  return path;
}
