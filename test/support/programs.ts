import { createHash } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Names the folder of one run of the test runner: what `cached-app.mjs` synthesized, and programs as one file each. */
export const sharedFolderVariable = 'FILE_SYNC_ASSEMBLIES';

/** As `package.json` has it. */
export function commandFromSource(program: string): readonly string[] {
  return ['--import', 'tsx', program];
}

/**
 * What Node.js takes to run a program of this project, e.g. `tools/upload/main.ts`: in a test run as one file with everything
 * that it imports, which starts in a third of the time. Outside of a test run, as `package.json` has it.
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
    // tsx keeps them too.
    keepNames: true,
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [sourcesStay, packagesStay],
    logLevel: 'warning',
  });
  // Several processes may make the same one.
  renameSync(draft, path);
  return path;
}

/** Files of the project find their neighbours where they are themselves. */
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

/** These look for other files beside their own: esbuild for its program, the database for its native part. */
const packagesStay: Plugin = {
  name: 'packages-stay',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(esbuild|classic-level)$/ }, ({ path: name, resolveDir }) => {
      const path = createRequire(join(resolveDir, 'any.js')).resolve(name);
      return { path, external: true };
    });
  },
};
