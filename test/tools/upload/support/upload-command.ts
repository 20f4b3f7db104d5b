import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { beforeEach } from 'vitest';
import { runUpload } from '../../../../tools/upload/program.ts';
import type { StandardInput } from '../../../../tools/upload/standard-input.ts';
import { TextCollector } from '../../../support/text-stream.ts';
import { type FakeService, startFakeService, uploadId } from './fake-service.ts';

export let folder: string;
export let service: FakeService;

/** Gives each test of a file a folder and a service. */
export function useFakeService(): void {
  beforeEach(async () => {
    folder = await temporaryFolder();
    service = await startFakeService();
  });
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
  /** Called in place of each wait. */
  readonly beforeRetry?: () => void;
  /** Resolves when Ctrl-C is typed. */
  readonly interrupted?: Promise<void>;
}

/** Runs the upload command in this process. */
export async function upload(
  parameters: readonly string[],
  {
    env,
    stdin = Readable.from([]),
    beforeRetry,
    interrupted = new Promise(() => undefined),
  }: Surroundings = {},
): Promise<UploadRun> {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const waits: number[] = [];
  const code = await runUpload(parameters, {
    stdin,
    stdout,
    stderr,
    env: {
      FILE_SYNC_BASE_URL: service.baseUrl,
      FILE_SYNC_CLIENT_ID: 'client:1',
      FILE_SYNC_CLIENT_SECRET: 'a secret+%',
      ...env,
    },
    words: 'upload',
    version: '1.2.3',
    interrupted,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      beforeRetry?.();
    },
  });
  return { code, stdout: stdout.text, stderr: stderr.text, waits };
}

/** Uploads a local file with this content into the file `orders`. */
export async function uploadContent(
  content: Buffer | string,
  ...flags: readonly string[]
): Promise<UploadRun> {
  return upload([await file('orders.csv', content), '--file', 'orders', ...flags]);
}

/** @returns the path of a file with this content */
export async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Client id and secret of the first request, as they were joined for Basic. */
export function sentCredentials(): string {
  const basic = service.requests[0]?.headers.authorization?.slice('Basic '.length) ?? '';
  return Buffer.from(basic, 'base64').toString();
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
