import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const builds = `${projectRoot}node_modules/.cache/file-sync-tools`;

/** Files and folders from which the tools are built. */
export const sources = [
  'contract',
  'docs/api.md',
  'lambdas/shared',
  'node_modules/.package-lock.json',
  'package.json',
  'packages/client',
  'storage',
  'tools',
];

/**
 * Runs a tool of this repository, in any folder. It runs the built file, which starts in a fraction of the CPU time of
 * its sources. The first start after a change of the sources builds it.
 *
 * @param tool name of its folder: `admin` or `upload`
 */
export async function startTool(tool) {
  // The console is not built. Any command works from the sources.
  const built = process.argv.includes('console') ? undefined : await builtFile(tool);
  if (built === undefined) {
    await loadTypeScript();
  }
  await import(built ?? `../${tool}/main.ts`);
}

/** Returns the URL of the built file of a tool. Undefined if it cannot be built: the reason is on stderr. */
async function builtFile(tool) {
  try {
    const build = `${builds}/${tool}-${lastChange()}`;
    if (!existsSync(build)) {
      await buildOnce(tool, build);
    }
    // From Node.js 22.8 on, the next start skips the compilation.
    module.enableCompileCache?.(`${build}/compiled`);
    return pathToFileURL(`${build}/main.mjs`).href;
  } catch (error) {
    process.stderr.write(
      `The command cannot be built, so it starts slowly, from its sources: ${error.message}\n`,
    );
  }
}

/**
 * Returns the time of the last change below the sources, which never goes back: each edit, copy and rename sets the
 * `ctime` of a file, and each removal that of its folder.
 */
function lastChange() {
  const times = sources.flatMap((source) => {
    const path = projectRoot + source;
    const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
    return ['', ...names].map((name) => statSync(join(path, name)).ctimeMs);
  });
  return Math.max(...times);
}

/** Builds a tool in a folder of its own, and then renames the folder: no start sees an unfinished build. */
async function buildOnce(tool, build) {
  mkdirSync(builds, { recursive: true });
  // A running command may still load a part of an older build, so each is kept for a day.
  for (const name of readdirSync(builds)) {
    if (Date.now() - statSync(`${builds}/${name}`).mtimeMs > 86_400_000) {
      rmSync(`${builds}/${name}`, { recursive: true });
    }
  }
  const folder = mkdtempSync(`${builds}/unfinished-`);
  await loadTypeScript();
  const { buildParts } = await import('./build-tool.ts');
  await buildParts(`tools/${tool}/main.ts`, folder);
  // If a start at the same time was faster, this rename fails, and the tool starts from its sources.
  renameSync(folder, build);
}

/** Loads TypeScript as `node --import tsx` does in the project's folder. */
async function loadTypeScript() {
  // Otherwise tsx would apply the `paths` of a tsconfig.json in the folder that the reader is in.
  process.env.TSX_TSCONFIG_PATH = `${projectRoot}tsconfig.json`;
  try {
    await import('tsx');
  } catch {
    process.stderr.write(`error: The packages are not installed. Run npm ci in ${projectRoot}\n`);
    process.exit(1);
  }
}
