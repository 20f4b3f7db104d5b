import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lacks, offline } from '../../support/missing-tool.ts';
import { runProcess } from '../../support/run-process.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

type Command = readonly [program: string, ...parameters: string[]];

/** An example program and its requirements. */
export interface Example {
  readonly name: string;
  /** Reason why it cannot run on this machine; undefined if it can. */
  readonly missing: string | undefined;
  /** Returns the command that compiles it into a folder of the test. */
  readonly build?: (folder: string) => Command;
  /** Returns the command, to which the path of the file to upload is appended. */
  readonly run: (folder: string) => Command;
}

export const allExamples: readonly Example[] = [
  {
    name: 'curl',
    missing: lacks('curl', '--version'),
    run: () => ['sh', join(examples, 'curl/upload-file.sh')],
  },
  {
    name: 'Node.js',
    missing: undefined,
    run: () => [process.execPath, join(examples, 'node/upload-file.mjs')],
  },
  {
    name: 'Python',
    missing: lacks('python3', '--version'),
    run: () => ['python3', join(examples, 'python/upload_file.py')],
  },
  {
    name: 'Go',
    // Its modules must be in the cache.
    missing: lacks('go', '-C', join(examples, 'go'), 'list', '-deps', '.'),
    build: (folder) => ['go', '-C', join(examples, 'go'), 'build', '-o', join(folder, 'go-upload-file'), '.'],
    run: (folder) => [join(folder, 'go-upload-file')],
  },
  {
    name: 'Java',
    missing: lacks('javac', '-version'),
    build: (folder) => [
      'javac',
      '-Xlint:all,-serial',
      '-Werror',
      '-d',
      join(folder, 'java'),
      join(examples, 'java/UploadFile.java'),
    ],
    run: (folder) => ['java', '-XX:TieredStopAtLevel=1', '-cp', join(folder, 'java'), 'UploadFile'],
  },
];

export const uploadCommand: Example = {
  name: 'the upload command',
  missing: undefined,
  run: () => [process.execPath, '--import', import.meta.resolve('tsx'), resolve('tools/upload/main.ts')],
};

/** Compiles the examples that can run on this machine. */
export async function buildExamples(folder: string): Promise<void> {
  const builds = allExamples.map(({ missing, build }) =>
    missing === undefined ? build?.(folder) : undefined,
  );
  const env = { ...process.env, ...offline };
  await Promise.all(builds.map((build) => build && promisify(execFile)(build[0], build.slice(1), { env })));
}

/**
 * Maximum duration of a program in milliseconds. curl aborts a response to a PUT after 120 s below 1000 bytes
 * per second.
 */
export const maxRun = 150_000;

/** Runs a program on a path, in a folder that is also its home folder. */
export function runExample(
  [program, ...parameters]: Command,
  path: string,
  folder: string,
  settings: Readonly<Record<'BASE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'FILE_ID', string>>,
) {
  const named = Object.entries(settings).map(([name, value]) => [`FILE_SYNC_${name}`, value]);
  const env = { PATH: process.env.PATH, HOME: folder, ...Object.fromEntries(named) };
  return runProcess(program, [...parameters, path], {
    env,
    cwd: folder,
    timeout: maxRun,
    maxBuffer: 1 << 30,
  });
}
