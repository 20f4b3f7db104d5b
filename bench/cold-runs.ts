import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import type { RequestKind } from './billed-time/inputs.ts';
import { makeBundles } from './bundles.ts';
import { startContestant } from './contestant.ts';
import { eventMaker, itemsForRecording } from './function-events.ts';
import { createSetting } from './setting.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));

/** A bundle that is started anew for every sample, and the event that it answers. */
export interface ColdContestant {
  readonly name: string;
  /** Path of the bundle. */
  readonly bundle: string;
  /** As JSON. */
  readonly event: string;
}

export interface ColdRuns {
  /** An event of this kind, as JSON. */
  readonly eventOf: (kind: RequestKind) => Promise<string>;
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
  const bundles = await makeBundles();
  const setting = await createSetting();
  const { environment } = setting;
  const variables = { ...environment, ITEMS: itemsForRecording(environment.ITEMS ?? '{}') };
  const aws = await startContestant(await bundles.ofProgram('aws-stub'), variables);
  try {
    const env = { ...variables, NODE_NO_WARNINGS: '1', AWS_ENDPOINT_URL: aws.url };
    const empty = { name: 'an empty process', bundle: join(folder, 'empty.mjs'), event: '{}' };
    await writeFile(empty.bundle, 'export const handler = async () => ({ statusCode: 200 });\n');
    return await work({
      eventOf: eventMaker(setting),
      empty,
      bundle: (settings) => bundleInto(folder, settings),
      sample: async ({ bundle, event }) => {
        const { stdout } = await run(
          process.execPath,
          [join(here, 'cold', 'answer-once.mjs'), bundle, event],
          {
            env,
          },
        );
        // The function may have logged lines before.
        return Number(stdout.slice(stdout.lastIndexOf('\n') + 1));
      },
    });
  } finally {
    await aws.stop();
    await bundles.remove();
    await rm(folder, { recursive: true });
  }
}

let count = 0;

async function bundleInto(folder: string, settings: BuildOptions): Promise<string> {
  count += 1;
  const outfile = join(folder, `${count}.mjs`);
  await build({ ...settings, outfile });
  return outfile;
}
