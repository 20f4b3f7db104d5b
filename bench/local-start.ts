import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './measurement.ts';
import { median } from './statistics.ts';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));

/** A start on the state of the start before, with nothing changed. */
export const localStart: Measurement = {
  id: 'local-start-unchanged',
  what: '`npm start -- --no-demo` to `ready`, nothing changed since the last start',
  unit: 'seconds',
  target: 1.2,
  better: 'lower',
  measure: async (rounds) => {
    const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
    try {
      // The first start makes the keys, and chooses the ports for all others. They are part of the stack.
      const first = await start(folder, []);
      const ports = ['--port', portOf(first.baseUrl), '--aws-port', portOf(first.awsEndpoint)];
      const synthesizing = await start(folder, [...ports, '--fresh']);
      const samples: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        samples.push((await start(folder, ports)).seconds);
      }
      return {
        samples,
        detail: { 'with a synthesis, seconds': synthesizing.seconds, 'without, seconds': median(samples) },
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

interface RunFile {
  readonly pid: number;
  readonly baseUrl: string;
  readonly awsEndpoint: string;
}

/** Starts it with npm, as a person does, waits until it serves, and ends it. */
async function start(
  folder: string,
  ports: readonly string[],
): Promise<RunFile & { readonly seconds: number }> {
  const flags = ports.length > 0 ? ports : ['--port', '0', '--aws-port', '0'];
  const startedAt = performance.now();
  const child = spawn(
    'npm',
    ['start', '--', '--no-demo', '--console-port', '0', '--state', folder, ...flags],
    {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/^ready /m.test(output)) {
        resolve();
      }
    });
    void exited.then(() => reject(new Error(`npm start ended:\n${output}`)));
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const file = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as RunFile;
  process.kill(file.pid, 'SIGINT');
  await exited;
  return { ...file, seconds };
}

function portOf(url: string): string {
  return new URL(url).port;
}
