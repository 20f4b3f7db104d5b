/**
 * Uploads a large file with the upload command to a local run. It measures the peak memory of both processes, and the
 * time as a ratio to `cp` of the same file followed by `sync`. It needs Linux, where /proc has the peak memory.
 *
 *     npm run bench -- upload [--gibibytes 5] [--rounds 3]
 */
import '../test/support/quiet-sdk.ts';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { localDeployment } from '../cli/deployment/local-deployment.ts';
import { createClient } from '../cli/operations/clients.ts';
import { createFile } from '../cli/operations/files.ts';
import { startLocalRun } from '../test/support/local-run.ts';
import { compare, printComparison } from './compare.ts';

const run = promisify(execFile);
const { values } = parseArgs({
  options: { gibibytes: { type: 'string', default: '5' }, rounds: { type: 'string', default: '1' } },
});
const size = Number(values.gibibytes) * 1024 ** 3;

const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
const local = await startLocalRun();
try {
  const source = join(folder, 'source.bin');
  await generate(source, size);
  const uploader = await provision();
  const peaks = { uploader: 0, localRun: 0 };
  const rows = await compare(
    [
      { name: 'cp, then sync', sample: () => timed(() => copy(source, join(folder, 'copy.bin'))) },
      {
        name: 'npm run upload',
        sample: () =>
          timed(async () => {
            peaks.uploader = Math.max(peaks.uploader, await upload(source, uploader));
          }),
      },
    ],
    Number(values.rounds),
  );
  peaks.localRun = await peakMemory(local.pid);
  printComparison(`${values.gibibytes} GiB`, rows);
  process.stdout.write(`peak memory of the upload command: ${mebibytes(peaks.uploader)}\n`);
  process.stdout.write(`peak memory of the local run:      ${mebibytes(peaks.localRun)}\n`);
} finally {
  await local.stop();
  await rm(folder, { recursive: true });
}

interface Uploader {
  readonly fileId: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function provision(): Promise<Uploader> {
  const deployment = await localDeployment(local.stateDirectory);
  const organisationId = 'acme';
  const client = await createClient(deployment, { organisationId, name: 'Bench', scopes: ['sync:create'] });
  const file = await createFile(deployment, { organisationId, name: 'bench.bin', syncEnabled: true });
  return {
    fileId: file.file_id,
    environment: {
      FILE_SYNC_BASE_URL: local.baseUrl,
      FILE_SYNC_CLIENT_ID: client.client_id,
      FILE_SYNC_CLIENT_SECRET: client.client_secret,
    },
  };
}

async function generate(path: string, bytes: number): Promise<void> {
  const block = randomBytes(8 * 1024 * 1024);
  const file = await open(path, 'w');
  for (let written = 0; written < bytes; written += block.length) {
    await file.write(block, 0, Math.min(block.length, bytes - written));
  }
  await file.sync();
  await file.close();
}

async function copy(source: string, target: string): Promise<void> {
  await run('cp', [source, target]);
  await run('sync', [target]);
  await rm(target);
}

/** Uploads the file. Resolves with the command's peak memory in bytes. */
async function upload(source: string, { fileId, environment }: Uploader): Promise<number> {
  const command = ['--import', 'tsx', join('bin', 'upload.ts'), source, '--file', fileId, '--quiet'];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  let peak = 0;
  // /proc has no entry of a process that has ended, so the peak is read while it runs.
  const watch = setInterval(async () => {
    peak = Math.max(peak, await peakMemory(child.pid ?? 0).catch(() => 0));
  }, 50);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  if (code !== 0) {
    throw new Error(`The upload command ended with ${String(code)}`);
  }
  return peak;
}

/** High-water mark of a process's resident memory, in bytes (proc(5), VmHWM). */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

async function timed(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
