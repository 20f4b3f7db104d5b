import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** The Go toolchain must not download anything in a test. */
export const offline = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly -buildvcs=false' };

export const allExamples: readonly Example[] = [
  {
    name: 'curl',
    missing: lacks('curl', ['--version'], /curl (\d+)\.(\d+)/, [7, 84]),
    run: () => ['sh', join(examples, 'curl/upload-file.sh')],
  },
  {
    name: 'Node.js',
    missing: undefined,
    run: () => [process.execPath, join(examples, 'node/upload-file.mjs')],
  },
  {
    name: 'Python',
    missing: lacks('python3', ['--version'], /Python (\d+)\.(\d+)/, [3, 9]),
    run: () => ['python3', join(examples, 'python/upload_file.py')],
  },
  {
    name: 'Go',
    missing:
      lacks('go', ['version'], /go(\d+)\.(\d+)/, [1, 25]) ??
      fails('golang.org/x/oauth2 is not in the module cache', 'go', [
        '-C',
        join(examples, 'go'),
        'list',
        '-deps',
        '.',
      ]),
    build: (folder) => ({
      command: 'go',
      parameters: ['-C', join(examples, 'go'), 'build', '-o', join(folder, 'go-upload-file'), '.'],
    }),
    run: (folder) => [join(folder, 'go-upload-file')],
  },
  {
    name: 'Java, compiled',
    missing: lacks('javac', ['-version'], /javac (\d+)(?:\.(\d+))?/, [17, 0]),
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

/** As its page says to run it: Java compiles the one file by itself. */
export const javaFromSource = ['java', join(examples, 'java/UploadFile.java')] as const;

/** Says what is missing, for the title of the tests that cannot run. */
function lacks(
  tool: string,
  parameters: readonly string[],
  pattern: RegExp,
  [major, minor]: readonly [number, number],
): string | undefined {
  const found = pattern.exec(output(tool, parameters) ?? '');
  if (found === null) {
    return `${tool} is not on this machine`;
  }
  const [, foundMajor = 0, foundMinor = 0] = found.map(Number);
  const isEnough = foundMajor > major || (foundMajor === major && foundMinor >= minor);
  return isEnough ? undefined : `${tool} is older than ${major}.${minor}`;
}

function fails(reason: string, command: string, parameters: readonly string[]): string | undefined {
  return output(command, parameters) === undefined ? reason : undefined;
}

function output(command: string, parameters: readonly string[]): string | undefined {
  try {
    const env = { ...process.env, ...offline };
    return execFileSync(command, parameters, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}
