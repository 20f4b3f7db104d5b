import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { runProgram } from '../../../../tools/terminal/run-program.ts';
import { createUploadProgram } from '../../../../tools/upload/program.ts';
import type { StandardInput } from '../../../../tools/upload/standard-input.ts';
import { TextCollector } from '../../../support/text-stream.ts';
import { type FakeService, startFakeService, uploadId } from './fake-service.ts';

/** Of the test file. */
export let folder: string;
/** Of the test. */
export let service: FakeService;

/** Gives each test of a file a service, and all of them a folder. */
export function useFakeService(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-sync-upload-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(startService);
  afterEach(() => service.stop());
}

/** Gives the test another one, when it has stopped its own. */
export async function startService(): Promise<void> {
  service = await startFakeService();
}

export interface UploadRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds of each wait before another attempt. Nobody really waits. */
  readonly waits: readonly number[];
}

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly stdin?: StandardInput;
  readonly terminal?: boolean;
  /** Called in place of each wait. */
  readonly beforeRetry?: () => void;
}

/** Runs the upload command in this process. */
export async function upload(
  parameters: readonly string[],
  surroundings: Surroundings = {},
): Promise<UploadRun> {
  const stdout = new TextCollector({ isTTY: surroundings.terminal === true });
  const stderr = new TextCollector({ isTTY: surroundings.terminal === true });
  const waits: number[] = [];
  const env = {
    FILE_SYNC_BASE_URL: service.baseUrl,
    FILE_SYNC_CLIENT_ID: 'client:1',
    FILE_SYNC_CLIENT_SECRET: 'a secret+%',
    ...surroundings.env,
  };
  const program = createUploadProgram({
    stdin: surroundings.stdin ?? chunks(),
    stdout,
    stderr,
    env,
    words: 'upload',
    version: '1.2.3',
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      surroundings.beforeRetry?.();
    },
  });
  const code = await runProgram(program, { parameters, stdout, stderr, env: {} });
  return { code, stdout: stdout.text, stderr: stderr.text, waits };
}

/** Standard input that arrives in these parts. */
export async function* chunks(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

/** @returns the path of a file with this content */
export async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

export function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex');
}

/** What the service was asked for, in order. */
export function paths(): readonly string[] {
  return service.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
}

/** What it is asked for when nothing goes wrong. */
export const wholeJob = [
  'POST /oauth/token',
  'POST /v0/files/orders/sync',
  `PUT /bucket/uploads/${uploadId}`,
];
