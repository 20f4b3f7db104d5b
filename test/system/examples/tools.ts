import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lacks } from '../../support/missing-tool.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** One example program, and what it takes to run it. */
export interface Example {
  readonly name: string;
  /** Why it cannot run on this machine; undefined when it can. */
  readonly missing: string | undefined;
  /** Compiles it into a folder of the test. */
  readonly build?: (folder: string) => { readonly command: string; readonly parameters: readonly string[] };
  /** What starts it, before its own two arguments. */
  readonly run: (folder: string) => readonly [command: string, ...parameters: string[]];
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
    build: (folder) => ({
      command: 'go',
      parameters: ['-C', join(examples, 'go'), 'build', '-o', join(folder, 'go-upload-file'), '.'],
    }),
    run: (folder) => [join(folder, 'go-upload-file')],
  },
  {
    name: 'Java',
    missing: lacks('javac', '-version'),
    build: (folder) => ({
      command: 'javac',
      parameters: [
        '-Xlint:all,-serial',
        '-Werror',
        '-d',
        join(folder, 'java'),
        join(examples, 'java/UploadFile.java'),
      ],
    }),
    run: (folder) => ['java', '-XX:TieredStopAtLevel=1', '-cp', join(folder, 'java'), 'UploadFile'],
  },
];
