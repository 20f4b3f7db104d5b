import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { runUpload } from '../../../../tools/upload/program.ts';
import type { StandardInput } from '../../../../tools/upload/standard-input.ts';
import { TextCollector } from '../../../support/text-stream.ts';
import { type FakeService, startFakeService, uploadId } from './fake-service.ts';

export let folder: string;
export let service: FakeService;

/** Creates a folder and a fake service for each test of a file. */
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
  /** Duration of each wait before a retry, in milliseconds. Tests do not wait. */
  readonly waits: readonly number[];
}

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly stdin?: StandardInput;
  /** Promise that resolves at Ctrl-C. */
  readonly interrupted?: Promise<void>;
}

/**
 * Runs the upload command in this process, with the credentials of a client of the fake service. Spaces separate
 * the parameters of the line.
 */
export function upload(line: string, { env, ...surroundings }: Surroundings = {}): Promise<UploadRun> {
  const credentials = {
    FILE_SYNC_BASE_URL: service.baseUrl,
    FILE_SYNC_CLIENT_ID: 'client:1',
    FILE_SYNC_CLIENT_SECRET: 'a secret+%',
  };
  return runUploadWith(line.split(' '), { env: { ...credentials, ...env }, ...surroundings });
}

/** Runs the upload command in this process. */
export async function runUploadWith(
  parameters: readonly string[],
  { env = {}, stdin = Readable.from([]), interrupted = new Promise(() => undefined) }: Surroundings,
): Promise<UploadRun> {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const waits: number[] = [];
  const code = await runUpload(parameters, {
    stdin,
    stdout,
    stderr,
    env,
    words: 'upload',
    version: '1.2.3',
    interrupted,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
  return { code, stdout: stdout.text, stderr: stderr.text, waits };
}

/** Uploads a local file with the given content into the file `orders`. */
export async function uploadContent(
  content: Buffer | string,
  ...flags: readonly string[]
): Promise<UploadRun> {
  return upload([await file('orders.csv', content), '--file orders', ...flags].join(' '));
}

/** Creates a local file with the given content. @returns path of the file */
export async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Returns the client id and secret of the first request, joined for Basic authentication. */
export function sentCredentials(): string {
  const basic = service.requests[0]?.headers.authorization?.slice('Basic '.length) ?? '';
  return Buffer.from(basic, 'base64').toString();
}

/** Lists the methods and paths of the requests, in order. */
export function paths(): readonly string[] {
  return service.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
}

/** Requests of an upload without errors. */
export const wholeJob = [
  'POST /oauth/token',
  'POST /v0/files/orders/sync',
  `PUT /bucket/uploads/${uploadId}`,
];
