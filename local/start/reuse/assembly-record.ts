import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as v from 'valibot';
import {
  type FileStamp,
  fileStampSchema,
  filesBelow,
  isNewer,
  isSameContent,
  isUnchanged,
  stampFile,
} from './file-stamp.ts';
import type { RecordedInputs } from './recorded-inputs.ts';

/** What a synthesis is told, besides the files that it reads. */
export interface SynthesisParameters {
  readonly projectRoot: string;
  /** Folder of the cloud assembly. */
  readonly outputDirectory: string;
  /** The command line and every variable of the process: also those that the app reads today. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where the project keeps what the app is made of. A file that is added here may be found instead of another one. */
const sourceFolders = ['bin', 'contract', 'lambdas', 'lib', 'local/start', 'storage'];

/** Files that decide how the others are read and which packages are installed, whether they exist or not. */
const settingFiles = [
  'cdk.json',
  'cdk.context.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
];

const recordSchema = v.object({
  /** Of everything that is not a file. */
  parameters: v.string(),
  inputs: v.array(fileStampSchema),
  /** The files of the cloud assembly. */
  outputs: v.array(fileStampSchema),
});

type AssemblyRecord = v.InferOutput<typeof recordSchema>;

/** A file that was written so shortly before the synthesis may have changed while it was read. In milliseconds. */
const doubtMilliseconds = 1000;

/** Beside the cloud assembly, so that it cannot be taken for a part of it. */
export function recordPath(outputDirectory: string): string {
  return `${outputDirectory}.inputs.json`;
}

export function forgetAssembly(outputDirectory: string): void {
  rmSync(recordPath(outputDirectory), { force: true });
}

/**
 * Whether a synthesis would read exactly what the last one read, and its cloud assembly is complete. Any doubt counts as
 * a change: a synthesis takes seconds, and a wrong answer would run a stack that is not the one in the sources.
 */
export function isAssemblyCurrent(parameters: SynthesisParameters): boolean {
  const record = readRecord(parameters.outputDirectory);
  return (
    record !== undefined &&
    record.parameters === digestOf(parameters) &&
    isSameSet(pathsOf(record.outputs), filesBelow(parameters.outputDirectory)) &&
    containsAll(pathsOf(record.inputs), sourceFiles(parameters.projectRoot)) &&
    [...record.inputs, ...record.outputs].every(isUnchanged)
  );
}

/**
 * Records what a synthesis read and wrote. Records nothing when a file changed meanwhile, or not every bundle said what
 * it is made of: the next start then synthesizes again.
 *
 * @param startedAt when the synthesis began, in milliseconds since the epoch
 */
export function recordAssembly(
  parameters: SynthesisParameters,
  { files, bundles }: RecordedInputs,
  startedAt: number,
): void {
  const { projectRoot, outputDirectory } = parameters;
  const paths = [...new Set([...withPackages(files, projectRoot), ...sourceFiles(projectRoot)])].toSorted();
  if (
    bundles < countBundles(outputDirectory, files) ||
    paths.some((path) => isNewer(path, startedAt - doubtMilliseconds))
  ) {
    return;
  }
  const isOfProject = (path: string) => !path.includes(`${sep}node_modules${sep}`);
  const record: AssemblyRecord = {
    parameters: digestOf(parameters),
    inputs: paths.map((path) => stampFile(path, isOfProject(path))),
    outputs: filesBelow(outputDirectory).map((path) => stampFile(path, true)),
  };
  const path = recordPath(outputDirectory);
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function readRecord(outputDirectory: string): AssemblyRecord | undefined {
  try {
    return v.parse(recordSchema, JSON.parse(readFileSync(recordPath(outputDirectory), 'utf8')));
  } catch {
    // There is none, or it is damaged.
    return undefined;
  }
}

function digestOf({ projectRoot, outputDirectory, command, environment }: SynthesisParameters): string {
  const { version, execPath, platform, arch } = process;
  const everything = {
    node: [version, execPath, platform, arch],
    projectRoot,
    // It may be a link that leads to other packages now.
    packages: realpathSync(join(projectRoot, 'node_modules')),
    outputDirectory,
    command,
    environment: Object.entries(environment).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  };
  return createHash('sha256').update(JSON.stringify(everything)).digest('hex');
}

function sourceFiles(projectRoot: string): readonly string[] {
  return [
    ...settingFiles.map((file) => join(projectRoot, file)),
    ...sourceFolders.flatMap((folder) => filesBelow(join(projectRoot, folder))),
  ];
}

/** The files, and for each the `package.json` of every folder above it: they decide how a module is found and read. */
function withPackages(files: readonly string[], projectRoot: string): ReadonlySet<string> {
  const all = new Set(files);
  const seen = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder);
      const isAbove = relative(folder, projectRoot) !== '' && !relative(folder, projectRoot).startsWith('..');
      if (isAbove) {
        break;
      }
      all.add(join(folder, 'package.json'));
    }
  }
  return all;
}

/** How many assets are not a copy of files that were read: the CDK brings the code of its own custom resources. */
function countBundles(outputDirectory: string, files: readonly string[]): number {
  const assets = readdirSync(outputDirectory).filter((name) => name.startsWith('asset.'));
  const isCopied = (path: string) =>
    files.some((file) => basename(file) === basename(path) && isSameContent(file, path));
  return assets.filter((name) => !filesBelow(join(outputDirectory, name)).every(isCopied)).length;
}

function pathsOf(stamps: readonly FileStamp[]): ReadonlySet<string> {
  return new Set(stamps.map(({ path }) => path));
}

function isSameSet(one: ReadonlySet<string>, other: readonly string[]): boolean {
  return one.size === other.length && containsAll(one, other);
}

function containsAll(all: ReadonlySet<string>, some: readonly string[]): boolean {
  return some.every((path) => all.has(path));
}
