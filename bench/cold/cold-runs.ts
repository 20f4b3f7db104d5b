import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { createFixtures, type Fixtures } from './fixtures.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

/** A bundle that is started anew for every sample, and the event that it answers. */
export interface ColdContestant {
  readonly name: string;
  /** Path of the bundle. */
  readonly bundle: string;
  readonly event: unknown;
}

export interface ColdRuns {
  readonly fixtures: Fixtures;
  /** A process that loads a bundle with nothing in it. */
  readonly empty: ColdContestant;
  /** Bundles an entry point and gives the path of the bundle. */
  readonly bundle: (settings: BuildOptions) => Promise<string>;
  /** CPU time of a fresh process until it has answered, in milliseconds. */
  readonly sample: (contestant: ColdContestant) => Promise<number>;
}

/** Gives the work a folder for bundles and a process that answers for AWS, and ends both after it. */
export async function withColdRuns<Result>(work: (runs: ColdRuns) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
  const fixtures = await createFixtures();
  const stub = spawn(process.execPath, ['--import', 'tsx', join(here, 'aws-stub.ts')], {
    env: { ...process.env, ANSWERS: JSON.stringify(fixtures.answers) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = await once(createInterface(stub.stdout), 'line');
    const env = { ...fixtures.variables, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
    const empty = { name: 'an empty process', bundle: join(folder, 'empty.mjs'), event: {} };
    await writeFile(empty.bundle, 'export const handler = async () => ({ statusCode: 200 });\n');
    return await work({
      fixtures,
      empty,
      bundle: (settings) => bundleInto(folder, settings),
      sample: async ({ bundle, event }) => {
        const program = [join(here, 'answer-once.mjs'), bundle, JSON.stringify(event)];
        const { stdout } = await run(process.execPath, program, { env });
        // The function may have logged lines before.
        return Number(stdout.slice(stdout.lastIndexOf('\n') + 1));
      },
    });
  } finally {
    stub.kill();
    await rm(folder, { recursive: true });
  }
}

let bundles = 0;

async function bundleInto(folder: string, settings: BuildOptions): Promise<string> {
  bundles += 1;
  const outfile = join(folder, `${bundles}.mjs`);
  await build({ ...settings, outfile });
  return outfile;
}
