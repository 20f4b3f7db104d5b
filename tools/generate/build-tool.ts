import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { readExamples } from './examples.ts';
import { readReferenceParts } from './reference/parts.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A command-line tool that is distributed as one file. */
interface Tool {
  /** Path from the project's root. */
  readonly entry: string;
  /** Name of the built file. */
  readonly fileName: string;
}

export const uploadTool: Tool = { entry: 'tools/upload/main.ts', fileName: 'file-sync-upload.mjs' };
export const adminTool: Tool = { entry: 'tools/admin/main.ts', fileName: 'file-sync-admin.mjs' };

/** First lines of a tool. CommonJS packages load Node.js modules with `require`. */
const banner = `#!/usr/bin/env node
// Needs Node.js 20.19 or later, and nothing else. The licences of the packages in it are at its end.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/** Functions that read files of this repository, by the module that exports only this function. */
const readers: Readonly<Record<string, () => Promise<object>>> = {
  'tools/generate/reference/parts.ts': readReferenceParts,
  'tools/generate/examples.ts': readExamples,
};

/** Files of packages whose text the readers return. */
const readFromPackages = ['node_modules/@scalar/fastify-api-reference/dist/index.js'];

/**
 * Embeds the results of the readers, compressed. A tool decompresses a result when it calls the reader, so
 * other commands do not become slower.
 */
const embedsResults: Plugin = {
  name: 'results of readers',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^result of / }, ({ path }) => ({ path, namespace: 'results' }));
    for (const [path, read] of Object.entries(readers)) {
      // A build in parts loads the result only when a command calls the reader.
      onLoad({ filter: new RegExp(`/${path.replaceAll('.', '\\.')}$`) }, () => ({
        contents: `export const ${read.name} = async () => (await import('result of ${read.name}')).result();`,
      }));
      onLoad({ filter: new RegExp(`^result of ${read.name}$`), namespace: 'results' }, async () => {
        // Level 5 compresses the renderer to 1.09 MB in 0.3 s. Level 9 takes 1 s for 1.05 MB.
        const bytes = brotliCompressSync(JSON.stringify(await read()), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
        });
        return {
          contents: `import { brotliDecompressSync } from 'node:zlib';
export const result = () =>
  JSON.parse(brotliDecompressSync(Buffer.from('${bytes.toString('base64')}', 'base64')));`,
        };
      });
    }
  },
};

/** Options of esbuild for a tool that requires only Node.js. */
async function optionsOf(entry: string) {
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));
  return {
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Comments name each source by its path in the project, even if node_modules is a link.
    preserveSymlinks: true,
    legalComments: 'none',
    plugins: [embedsResults],
    banner: { js: banner },
    define: { 'process.env.FILE_SYNC_TOOL_VERSION': JSON.stringify(version) },
    logLevel: 'warning',
  } as const satisfies BuildOptions;
}

/**
 * Builds a tool for this machine, in parts: `main.mjs`, and files that it loads when it needs them.
 *
 * @param entry path of its main file from the project's root
 */
export async function buildParts(entry: string, folder: string): Promise<void> {
  await build({
    ...(await optionsOf(entry)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    minifySyntax: true,
    minifyWhitespace: true,
  });
}

/**
 * Builds a tool: one ES module that requires only Node.js. The same sources produce the same bytes in every
 * folder and on every machine with the same version of Node.js.
 *
 * @returns path and size of the file
 * @throws {Error} if a bundled package contains no licence text
 */
export async function buildTool({ entry, fileName }: Tool, folder: string) {
  const { outputFiles, metafile } = await build({
    ...(await optionsOf(entry)),
    outfile: fileName,
    write: false,
    metafile: true,
  });
  const [output] = outputFiles;
  const inputs = Object.keys(metafile.inputs);
  const read = Object.keys(readers).some((path) => inputs.includes(path)) ? readFromPackages : [];
  const licences = (await licencesOf([...inputs, ...read])).replaceAll('*/', '* /');
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
 * Returns the licence texts of the packages that contain the paths, each text once, below the names of its
 * packages.
 *
 * @param paths paths from the project's root
 * @throws {Error} if a package contains no licence text
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

/** Returns the licence text of another package in the same scope. A few packages omit their licence file. */
function textOfSibling(one: Licence, others: readonly Licence[]): string {
  const sibling = others.find(
    ({ scope, licence, text }) => scope !== '' && scope === one.scope && licence === one.licence && text,
  );
  if (sibling?.text === undefined) {
    throw new Error(`${one.package} has no licence text, so it cannot be given away in a tool.`);
  }
  return sibling.text;
}

/** Returns the folders of the packages that contain the paths, each once. */
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
