import { createHash } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Variable with the folder of one run of the test runner, for assemblies of `cached-app.mjs` and bundled
 * programs.
 */
export const sharedFolderVariable = 'FILE_SYNC_ASSEMBLIES';

/** Returns the parameters that `package.json` uses. */
export function commandFromSource(program: string): readonly string[] {
  return ['--import', 'tsx', program];
}

/**
 * Returns the Node.js parameters that run a program of this project, e.g. `tools/upload/main.ts`. In a test
 * run the program is one bundled file, which starts in a third of the time. Outside of a test run, the
 * parameters are those of `package.json`.
 */
export async function commandOf(program: string): Promise<readonly string[]> {
  const folder = process.env[sharedFolderVariable];
  return folder === undefined ? commandFromSource(program) : [await bundled(program, folder)];
}

async function bundled(program: string, folder: string): Promise<string> {
  const path = join(folder, `${createHash('sha256').update(program).digest('hex')}.mjs`);
  if (existsSync(path)) {
    return path;
  }
  const draft = `${path}.${process.pid}`;
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [program],
    outfile: draft,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Like tsx.
    keepNames: true,
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [sourcesStay, packagesStay],
    logLevel: 'warning',
  });
  // Several processes may write the same file.
  renameSync(draft, path);
  return path;
}

/** Keeps `import.meta.url` of the project's files, so that they find the files beside them. */
const sourcesStay: Plugin = {
  name: 'sources-stay',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const url = JSON.stringify(pathToFileURL(path).href);
      return {
        contents: source.replaceAll('import.meta.url', url),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      };
    });
  },
};

/**
 * Keeps packages that load files beside their own: esbuild loads its program, the database its native part.
 */
const packagesStay: Plugin = {
  name: 'packages-stay',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(esbuild|classic-level)$/ }, ({ path: name, resolveDir }) => {
      const path = createRequire(join(resolveDir, 'any.js')).resolve(name);
      return { path, external: true };
    });
  },
};
