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
import { expectedOutput, type Generator, generators } from './generators.ts';

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
