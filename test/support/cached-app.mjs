/**
 * Replaces `bin/app.ts` in the local runs of the tests. The first run with a context synthesizes it; later
 * runs copy the result and insert their own base URL. JavaScript, since loading TypeScript would take longer
 * than the copy.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const { CDK_OUTDIR: output, CDK_CONTEXT_JSON: contextText, FILE_SYNC_ASSEMBLIES: folder } = process.env;
const { baseUrl, ...context } = JSON.parse(contextText);

/** Placeholder for the base URL in the cached copy. A run replaces it with its own base URL. */
const standIn = 'http://127.0.0.1:1';

const kept = join(folder, createHash('sha256').update(JSON.stringify(context)).digest('hex'));
if (await mayMake(kept)) {
  make();
}
copy();

/** Returns true if this process must synthesize. If another process does, waits until it ends. */
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
  // A rejected context is rejected by each run, with the message of the app.
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
