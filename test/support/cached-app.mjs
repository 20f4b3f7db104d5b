/**
 * Stands in for `bin/app.ts` in the local runs of the tests. The first run with a context synthesizes it; every
 * later one gets a copy with its own base URL. JavaScript, since loading TypeScript would take longer than the copy.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const { CDK_OUTDIR: output, CDK_CONTEXT_JSON: contextText, FILE_SYNC_ASSEMBLIES: folder } = process.env;
const { baseUrl, ...context } = JSON.parse(contextText);

/** Stands for the base URL in the copy that is kept. A run replaces it by its own base URL. */
const standIn = 'http://127.0.0.1:1';

const kept = join(folder, createHash('sha256').update(JSON.stringify(context)).digest('hex'));
if (await mayMake(kept)) {
  make();
}
copy();

/** Whether this process synthesizes. If another process does, waits until that process has ended. */
async function mayMake(path) {
  try {
    mkdirSync(`${path}.making`);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw error;
    }
  }
  while (!existsSync(path) && !existsSync(`${path}.failed`)) {
    await delay(50);
  }
  return existsSync(`${path}.failed`);
}

function make() {
  const unfinished = `${kept}.${process.pid}`;
  const variables = {
    CDK_OUTDIR: unfinished,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, baseUrl: standIn }),
  };
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bin/app.ts'], {
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  });
  if (status === 0) {
    return renameSync(unfinished, kept);
  }
  // A context that is rejected is rejected anew each time, in the words of the app.
  writeFileSync(`${kept}.failed`, '');
  process.exit(status ?? 1);
}

function copy() {
  cpSync(kept, output, { recursive: true });
  for (const name of readdirSync(output).filter((file) => file.endsWith('.json'))) {
    const path = join(output, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(standIn, baseUrl));
  }
}
