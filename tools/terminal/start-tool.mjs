import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import module from 'node:module';
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
  'tools/admin',
  'tools/generate/build-tool.ts',
  'tools/operator',
  'tools/terminal',
  'tools/upload',
];

/** Milliseconds after which an older build is removed. A running command may still load a part of it. */
const keptMilliseconds = 24 * 60 * 60 * 1000;

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
  const build = `${builds}/${tool}-${stampOf(sources)}`;
  try {
    if (!existsSync(build)) {
      await buildOnce(tool, build);
    }
    // From Node.js 22.8 on, the next start skips the compilation.
    module.enableCompileCache?.(`${build}/compiled`);
    return pathToFileURL(`${build}/main.mjs`).href;
  } catch (error) {
    process.stderr.write(
      `The command cannot be built, so it starts slowly, from its sources: ${error.message.split('\n')[0]}\n`,
    );
    return undefined;
  }
}

/** Hashes the names, sizes and times of change of all files below these paths. */
function stampOf(paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const stats = statSync(`${projectRoot}${path}`, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      for (const name of readdirSync(`${projectRoot}${path}`)) {
        add(`${path}/${name}`);
      }
    } else {
      hash.update(`${path} ${stats?.size} ${stats?.mtimeMs}\n`);
    }
  };
  for (const path of paths) {
    add(path);
  }
  return hash.digest('hex').slice(0, 32);
}

/** Builds a tool in a folder of its own, and then renames the folder: no start sees an unfinished build. */
async function buildOnce(tool, build) {
  mkdirSync(builds, { recursive: true });
  const folder = mkdtempSync(`${builds}/unfinished-`);
  try {
    await loadTypeScript();
    const { adminTool, buildParts, uploadTool } = await import('../generate/build-tool.ts');
    await buildParts(tool === 'admin' ? adminTool : uploadTool, folder);
    renameSync(folder, build);
  } catch (error) {
    rmSync(folder, { recursive: true });
    // A start at the same time was faster.
    if (!existsSync(build)) {
      throw error;
    }
  }
  removeOldBuilds();
}

function removeOldBuilds() {
  for (const name of readdirSync(builds)) {
    const stats = statSync(`${builds}/${name}`, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptMilliseconds) {
      rmSync(`${builds}/${name}`, { recursive: true, force: true });
    }
  }
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
