import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A command-line tool that is given away as one file. */
export interface Tool {
  /** From the project's root. */
  readonly entry: string;
  /** Name of the file that is made. */
  readonly fileName: string;
}

export const uploadTool: Tool = { entry: 'tools/upload/main.ts', fileName: 'file-sync-upload.mjs' };
export const adminTool: Tool = { entry: 'tools/admin/main.ts', fileName: 'file-sync-admin.mjs' };

/** The first lines of a tool. Packages in CommonJS ask for Node's own modules with `require`. */
const banner = `#!/usr/bin/env node
// Needs Node.js 20.19 or later, and nothing else. The licences of the packages in it are at its end.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/**
 * Makes a tool: one ES module that needs only Node.js. The same sources give the same bytes in every folder and on
 * every machine.
 *
 * @returns the path and the size of the file
 * @throws {Error} when a package in it has no licence text
 */
export async function buildTool({ entry, fileName }: Tool, folder: string) {
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile: fileName,
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Comments name each source by its path below the project, also where node_modules is a link.
    preserveSymlinks: true,
    legalComments: 'none',
    banner: { js: banner },
    define: { 'process.env.FILE_SYNC_TOOL_VERSION': JSON.stringify(version) },
    logLevel: 'warning',
  });
  const [output] = outputFiles;
  const licences = (await licencesOf(Object.keys(metafile.inputs))).replaceAll('*/', '* /');
  const text = `${output?.text ?? ''}\n/*\nPackages in this file, and their licences:\n\n${licences}*/\n`;
  const path = join(folder, fileName);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  return { path, bytes: Buffer.byteLength(text) };
}

interface Licence {
  /** Name and version. */
  readonly package: string;
  readonly scope: string;
  /** SPDX identifier. */
  readonly licence: string;
  readonly text: string | undefined;
}

/**
 * The licence texts of the packages that the paths are in, each text once, below the names of its packages.
 *
 * @param paths from the project's root
 * @throws {Error} when a package has no licence text
 */
async function licencesOf(paths: readonly string[]): Promise<string> {
  const licences = await Promise.all(packagesOf(paths).map(licenceOf));
  const namesByText = new Map<string, Set<string>>();
  for (const one of licences) {
    const text = one.text ?? textOfSibling(one, licences);
    namesByText.set(text, (namesByText.get(text) ?? new Set()).add(one.package));
  }
  return [...namesByText].map(([text, names]) => `${[...names].join('\n')}\n\n${text}\n`).join('\n');
}

/** A few packages leave out the licence file that other packages of their scope have. */
function textOfSibling(one: Licence, others: readonly Licence[]): string {
  const sibling = others.find(
    ({ scope, licence, text }) => scope !== '' && scope === one.scope && licence === one.licence && text,
  );
  if (sibling?.text === undefined) {
    throw new Error(`${one.package} has no licence text, so it cannot be given away in a tool.`);
  }
  return sibling.text;
}

/** The folders of the packages that the paths are in, each once. */
function packagesOf(paths: readonly string[]): readonly string[] {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

async function licenceOf(packageFolder: string): Promise<Licence> {
  const folder = join(projectRoot, packageFolder);
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  const text = file && (await readFile(join(folder, file), 'utf8')).replaceAll('\r', '').trim();
  return {
    package: `${name} ${version}`,
    scope: /^@[^/]+/.exec(name)?.[0] ?? '',
    licence: license,
    text: text || undefined,
  };
}
