import { fileURLToPath } from 'node:url';

/** One command in the folder of a generator. */
export type Command = readonly [program: string, ...parameters: string[]];

/** A generator of clients, and how its client is made and run in a folder that has `openapi.json`. */
export interface Generator {
  /** As a person names it, with its version. */
  readonly name: string;
  /** What must be on the machine; each is asked for its version. */
  readonly tools: readonly Command[];
  /** Client programs to copy: from `clients/`, to the folder. */
  readonly files: Readonly<Record<string, string>>;
  /** Other files to write. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Gets the generator from its registry. Its failure means that the registry cannot be reached. */
  readonly install: readonly Command[];
  /** Makes the client and compiles it with the program that uses it. */
  readonly generate: readonly Command[];
  /** Prints the one line that {@link expectedOutput} is. */
  readonly run: Command;
}

/** Type of the token, number of volumes, status of the upload, and the error of a file that does not exist. */
export const expectedOutput = 'Bearer 0 200 not_found\n';

const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url));

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    types: ['node'],
  },
  include: ['main.ts', 'generated'],
};

const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';
const openapiGenerator = 'openapi-generator-cli-7.10.0.jar';

export const generators: Readonly<Record<string, Generator>> = {
  'hey-api': {
    name: 'TypeScript: @hey-api/openapi-ts 0.95.0',
    tools: [['npm', '--version']],
    files: { 'hey-api.ts.txt': 'main.ts' },
    texts: {
      'package.json': '{ "private": true, "type": "module" }',
      'tsconfig.json': JSON.stringify(tsconfig),
    },
    install: [
      [
        'npm',
        'install',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '@hey-api/openapi-ts@0.95.0',
        'typescript@5.9.3',
        '@types/node@20',
      ],
    ],
    generate: [
      ['node_modules/.bin/openapi-ts', '--input', 'openapi.json', '--output', 'generated'],
      ['node_modules/.bin/tsc'],
    ],
    run: ['node', '--import', tsx, 'main.ts'],
  },
  python: {
    name: 'Python: openapi-python-client 0.29.1',
    tools: [['python3', '--version']],
    files: { 'client.py': 'client.py' },
    install: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', 'openapi-python-client==0.29.1', 'mypy==1.18.2'],
    ],
    generate: [
      [
        'venv/bin/openapi-python-client',
        'generate',
        '--path',
        'openapi.json',
        '--output-path',
        'generated',
        '--meta',
        'none',
      ],
      ['venv/bin/mypy', 'client.py'],
    ],
    run: ['venv/bin/python', 'client.py'],
  },
  go: {
    name: 'Go: oapi-codegen 2.8.2',
    tools: [['go', 'version']],
    files: { 'main.go': 'main.go' },
    texts: {
      'go.mod': 'module example\n\ngo 1.24\n',
      // A module of its own for the generator, so that nothing is installed outside of the folder.
      'tool/go.mod': 'module tool\n\ngo 1.24\n',
    },
    install: [
      ['go', '-C', 'tool', 'get', `${oapiCodegen}@v2.8.2`],
      ['go', '-C', 'tool', 'build', '-o', '../oapi-codegen', oapiCodegen],
    ],
    generate: [
      [
        './oapi-codegen',
        '-package',
        'main',
        '-generate',
        'types,client',
        '-o',
        'generated.go',
        'openapi.json',
      ],
      ['go', 'mod', 'tidy'],
      ['go', 'vet', '.'],
      ['go', 'build', '-o', 'client', '.'],
    ],
    run: ['./client'],
  },
  java: {
    name: 'Java: openapi-generator 7.10.0',
    tools: [
      ['java', '-version'],
      ['mvn', '--version'],
    ],
    files: { 'Main.java': 'generated/src/main/java/Main.java' },
    install: [
      [
        'mvn',
        '-q',
        'dependency:copy',
        '-Dartifact=org.openapitools:openapi-generator-cli:7.10.0',
        '-DoutputDirectory=.',
      ],
    ],
    generate: [
      [
        'java',
        '-jar',
        openapiGenerator,
        'generate',
        '-i',
        'openapi.json',
        '-g',
        'java',
        '--library',
        'native',
        '-o',
        'generated',
      ],
      [
        'mvn',
        '-q',
        '-f',
        'generated',
        'compile',
        'dependency:build-classpath',
        '-Dmdep.outputFile=classpath.txt',
      ],
    ],
    run: ['sh', '-c', 'java -cp "generated/target/classes:$(cat generated/classpath.txt)" Main'],
  },
};
