import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** What of the project goes into a package, and what makes it. */
const sources = ['bin', 'cli', 'console', 'contract', 'lambdas', 'lib', 'scripts', 'storage'];
const files = ['docs/package.md', 'CHANGELOG.md', 'README.md', 'package.json', 'tsconfig.json'];

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder. What it finds, it finds from there. */
export function run(
  folder: string,
  [program, ...parameters]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...withoutNpm(process.env), ...env }, maxBuffer: 2 ** 26 };
    execFile(program, parameters, options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}

/** The npm that started the tests tells what it does itself. Its configuration stays. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^npm_(command|lifecycle|package|execpath|node_execpath)/.test(name),
    ),
  );
}

async function succeed(folder: string, command: readonly [string, ...string[]]): Promise<string> {
  const { code, stdout, stderr } = await run(folder, command);
  if (code !== 0) {
    throw new Error(`${command.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  }
  return stdout;
}

export interface Packed {
  /** A copy of the project, in which `npm pack` ran. */
  readonly project: string;
  /** Paths in the package. */
  readonly contents: readonly string[];
  /** An empty folder with the package and the CDK, and nothing else. */
  readonly consumer: string;
}

/** Packs a copy of the project, since others read the project's package.json, and installs it in an empty folder. */
export async function packAndInstall(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-package-'));
  const project = join(folder, 'project');
  await mkdir(join(project, 'docs'), { recursive: true });
  for (const path of [...sources, ...files]) {
    await cp(join(projectRoot, path), join(project, path), { recursive: true });
  }
  await symlink(join(projectRoot, 'node_modules'), join(project, 'node_modules'));
  const packing = ['npm', 'pack', '--json', '--foreground-scripts=false', '--pack-destination', folder];
  const contents = contentsOf(JSON.parse(await succeed(project, packing as [string, ...string[]])));
  return { project, contents, consumer: await install(folder) };
}

/** npm 11 and earlier print a list; npm 12 prints an object by name. */
function contentsOf(printed: object): readonly string[] {
  const [{ files: packed }] = Object.values(printed) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return packed.map(({ path }) => path).toSorted();
}

/** By npm, but for the two packages that the package expects to find: they are links, so that nothing is downloaded. */
async function install(folder: string): Promise<string> {
  const consumer = join(folder, 'consumer');
  await mkdir(consumer);
  await writeFile(join(consumer, 'package.json'), '{ "private": true }\n');
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? 'none';
  const offline = ['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  await succeed(consumer, ['npm', 'install', ...offline, join('..', tarball)]);
  for (const name of ['aws-cdk-lib', 'constructs']) {
    await symlink(join(projectRoot, 'node_modules', name), join(consumer, 'node_modules', name));
  }
  return consumer;
}

export async function jsonOf(...path: readonly string[]) {
  return JSON.parse(await readFile(join(...path), 'utf8'));
}
