/**
 * Runs `bin/local.ts`: translates it and all that it imports into one file, then loads that in this process. A
 * TypeScript loader would do too, but it keeps a thread and its caches for as long as the process lives, which is
 * more than the whole local run needs besides (npm run bench:upload tells its peak memory). The one file of
 * JavaScript, since nothing has translated anything yet.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
// Inside node_modules, so that packages are found from there.
const cache = `${projectRoot}node_modules/.cache/file-sync-api/`;

/** A module goes on finding its neighbours by its own address. */
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

/** Under a name that its content decides, so that runs of different versions can start at once. */
async function store({ contents, hash }) {
  const path = `${cache}local-${hash.replaceAll(/\W/g, '')}.mjs`;
  const unfinished = `${path}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
  return path;
}
