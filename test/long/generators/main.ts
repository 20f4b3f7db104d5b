/**
 * Makes clients of the published description with generators in several languages, and has each of them bring a file
 * into a local run:
 *
 *     npm run test:long -- generators [NAME ...]
 *
 * The names are hey-api, python, go and java; all by default. Gets the generators from npm, PyPI, the Go module proxy
 * and Maven Central. What cannot be had on this machine is skipped, and the output says so. Exits 1 when a client does
 * not compile or does not work.
 */
import '../../support/quiet-sdk.ts';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '../../../tools/operator/clients.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createFile } from '../../../tools/operator/files.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { type Command, expectedOutput, type Generator, generators } from './generators.ts';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(generators, name));
if (unknown.length > 0) {
  process.stderr.write(
    `error: unknown name '${unknown[0]}'. The names are: ${Object.keys(generators).join(', ')}\n`,
  );
  process.exit(2);
}

const run = await startLocalRun();
const folder = await mkdtemp(join(tmpdir(), 'file-sync-generators-'));
try {
  const environment = await provision(run);
  const document = await (await fetch(`${run.baseUrl}/v0/openapi.json`)).text();
  for (const [name, generator] of Object.entries(generators)) {
    if (names.length > 0 && !names.includes(name)) {
      continue;
    }
    const outcome = await tryGenerator(generator, join(folder, name), document, environment);
    process.stdout.write(`${generator.name}: ${outcome}\n`);
    if (outcome.startsWith('FAILED')) {
      process.exitCode = 1;
    }
  }
} finally {
  await run.stop();
  await rm(folder, { recursive: true, force: true });
}

type Variables = Readonly<Record<string, string>>;

async function provision({ stateDirectory, baseUrl }: LocalRun): Promise<Variables> {
  const deployment = await localDeployment(stateDirectory);
  const organisationId = 'generators';
  const client = await createClient(deployment, {
    organisationId,
    name: 'Generated client',
    scopes: ['volume:read', 'sync:create'],
  });
  const file = await createFile(deployment, { organisationId, name: 'file', syncEnabled: true });
  return {
    BASE_URL: baseUrl,
    CLIENT_ID: client.client_id,
    CLIENT_SECRET: client.client_secret,
    FILE_ID: file.file_id,
  };
}

async function tryGenerator(
  generator: Generator,
  cwd: string,
  document: string,
  environment: Variables,
): Promise<string> {
  await mkdir(cwd);
  for (const tool of generator.tools) {
    if ((await execute(tool, cwd)).problem !== undefined) {
      return `skipped: ${tool[0]} is not on this machine`;
    }
  }
  await writeFiles(generator, cwd, document);
  for (const command of generator.install) {
    const { problem } = await execute(command, cwd);
    if (problem !== undefined) {
      return `skipped: it cannot be installed here: ${problem}`;
    }
  }
  for (const command of generator.generate) {
    const { problem } = await execute(command, cwd);
    if (problem !== undefined) {
      return `FAILED to generate or compile: ${problem}`;
    }
  }
  const { stdout, problem } = await execute(generator.run, cwd, environment);
  if (problem !== undefined) {
    return `FAILED to run: ${problem}`;
  }
  return stdout === expectedOutput ? 'compiles and works' : `FAILED: it printed ${JSON.stringify(stdout)}`;
}

async function writeFiles({ files, texts = {} }: Generator, cwd: string, document: string): Promise<void> {
  const clients = fileURLToPath(new URL('clients/', import.meta.url));
  for (const [name, text] of Object.entries({ ...texts, 'openapi.json': document })) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  for (const [name, target] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, target)), { recursive: true });
    await copyFile(join(clients, name), join(cwd, target));
  }
}

interface Ended {
  readonly stdout: string;
  /** The end of what it wrote; absent when it succeeded. */
  readonly problem?: string;
}

async function execute(
  [program, ...parameters]: Command,
  cwd: string,
  environment: Variables = {},
): Promise<Ended> {
  const env = { ...process.env, ...environment };
  try {
    const { stdout } = await promisify(execFile)(program, parameters, {
      cwd,
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    const end = `${stdout}${stderr}`.trim().slice(-1500);
    return { stdout, problem: end === '' ? String(error) : end };
  }
}
