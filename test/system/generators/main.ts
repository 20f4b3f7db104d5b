/**
 * Generates clients from the published description with generators in several languages, and uploads a file with each
 * client to a local run:
 *
 *     npm run test:system -- generators
 *
 * Downloads the generators from npm, PyPI, the Go module
 * proxy and Maven Central. Generators that this machine cannot run are skipped, and the output lists them. Exits 1 if a
 * client does not compile or does not work, and in a pipeline if one is skipped.
 */
import '../../support/quiet-sdk.ts';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApiUser } from '../../support/api-user.ts';
import { type Finished, runProcess } from '../../support/run-process.ts';
import { startRunningStack } from '../../support/running-stack.ts';

/** A generator of clients, run by shell commands in a folder with `openapi.json` and a copy of `clients/`. */
interface Generator {
  /** Display name, with the version. */
  readonly name: string;
  /** Command that fails if a tool is missing. */
  readonly tools: string;
  /** Downloads the generator from its registry. If it fails, the registry is not reachable. */
  readonly install: string;
  /** Generates the client and compiles it with the program that uses it. */
  readonly generate: string;
  /** Prints {@link expectedOutput}. */
  readonly run: string;
}

/** Type of the token, number of volumes, status of the upload, and the error of a file that does not exist. */
const expectedOutput = 'Bearer 0 200 not_found\n';

const tsx = fileURLToPath(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url));

const generators: Readonly<Record<string, Generator>> = {
  'hey-api': {
    name: 'TypeScript: @hey-api/openapi-ts 0.95.0',
    tools: 'npm --version',
    install: `
      mv hey-api.ts.txt main.ts
      echo '{ "private": true, "type": "module" }' > package.json
      npm install --no-audit --no-fund --ignore-scripts @hey-api/openapi-ts@0.95.0 typescript@5.9.3 @types/node@20`,
    generate: `
      node_modules/.bin/openapi-ts --input openapi.json --output generated
      node_modules/.bin/tsc --strict --noEmit --target ES2022 --module ESNext --moduleResolution bundler --types node main.ts`,
    run: `node --import '${tsx}' main.ts`,
  },
  python: {
    name: 'Python: openapi-python-client 0.29.1',
    tools: 'python3 --version',
    install: `
      python3 -m venv venv
      venv/bin/pip install --quiet openapi-python-client==0.29.1 mypy==1.18.2`,
    generate: `
      venv/bin/openapi-python-client generate --path openapi.json --output-path generated --meta none
      venv/bin/mypy client.py`,
    run: 'venv/bin/python client.py',
  },
  go: {
    name: 'Go: oapi-codegen 2.8.2',
    tools: 'go version',
    // A separate module for the generator, so that all files are installed inside the folder.
    install: `
      mkdir tool
      printf 'module tool\\n\\ngo 1.24\\n' > tool/go.mod
      printf 'module example\\n\\ngo 1.24\\n' > go.mod
      go -C tool get github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
      go -C tool build -o ../oapi-codegen github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen`,
    generate: `
      ./oapi-codegen -package main -generate types,client -o generated.go openapi.json
      go mod tidy
      go vet .
      go build -o client .`,
    run: './client',
  },
  java: {
    name: 'Java: openapi-generator 7.10.0',
    tools: 'java -version && mvn --version',
    install: `
      mvn -q dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.10.0 -DoutputDirectory=.`,
    generate: `
      java -jar openapi-generator-cli-7.10.0.jar generate -i openapi.json -g java --library native -o generated
      cp Main.java generated/src/main/java/
      mvn -q -f generated compile dependency:build-classpath -Dmdep.outputFile=classpath.txt`,
    run: 'java -cp "generated/target/classes:$(cat generated/classpath.txt)" Main',
  },
};

const stack = await startRunningStack();
const folder = await mkdtemp(join(tmpdir(), 'file-sync-generators-'));
try {
  const { client, newFile } = await createApiUser(stack);
  const environment = {
    FILE_SYNC_BASE_URL: stack.baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: client.client_secret,
    FILE_SYNC_FILE_ID: await newFile(),
  };
  const document = await (await fetch(`${stack.baseUrl}/v0/openapi.json`)).text();
  for (const [name, generator] of Object.entries(generators)) {
    const cwd = join(folder, name);
    await cp(fileURLToPath(new URL('clients/', import.meta.url)), cwd, { recursive: true });
    await writeFile(join(cwd, 'openapi.json'), document);
    const outcome = await tryGenerator(generator, cwd, environment);
    process.stdout.write(`${generator.name}: ${outcome}\n`);
    // A pipeline, which sets CI, provides all tools.
    if (outcome.startsWith('FAILED') || (process.env.CI !== undefined && outcome.startsWith('skipped'))) {
      process.exitCode = 1;
    }
  }
} finally {
  await stack.close();
  await rm(folder, { recursive: true, force: true });
}

async function tryGenerator(
  { tools, install, generate, run }: Generator,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  for (const [what, commands] of [
    ['skipped: a tool is not on this machine', tools],
    ['skipped: it cannot be installed here', install],
    ['FAILED to generate or compile', generate],
  ] as const) {
    const ended = await execute(commands, cwd);
    if (ended.code !== 0) {
      return `${what}: ${endOf(ended)}`;
    }
  }
  const ended = await execute(run, cwd, environment);
  if (ended.code !== 0) {
    return `FAILED to run: ${endOf(ended)}`;
  }
  const { stdout } = ended;
  return stdout === expectedOutput ? 'compiles and works' : `FAILED: it printed ${JSON.stringify(stdout)}`;
}

function execute(commands: string, cwd: string, environment = {}): Promise<Finished> {
  return runProcess('sh', ['-euc', commands], { cwd, env: { ...process.env, ...environment } });
}

/** Returns the end of the output. */
function endOf({ stdout, stderr }: Finished): string {
  return `${stdout}${stderr}`.trim().slice(-1500);
}
