import { spawnSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { downloadFile } from '../../../../tools/admin/download/download-file.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { openContentStream } from '../../../../tools/operator/download/stream-content.ts';
import { messageOf } from '../../../../tools/operator/errors.ts';
import { noProgress } from '../../../../tools/terminal/progress.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { crc64nvme, putFileWithContent } from '../support/file-with-content.ts';
import { openWay, type Way } from '../support/way.ts';

const content = 'the content '.repeat(100_000);

let aws: FakeAws;
let folder: string;

beforeAll(async () => {
  aws = await startFakeAws();
  await putFileWithContent(aws, 'full', content);
});
afterAll(() => aws.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-download-test-'));
  return () => rm(folder, { recursive: true, force: true });
});

interface Request {
  readonly fileId?: string;
  readonly output: string;
  readonly force?: boolean;
  readonly deployment?: Deployment;
  readonly idleMilliseconds?: number;
}

/** Downloads; what it could not do comes as a message. */
async function download({
  fileId = 'full',
  output,
  force = false,
  deployment = aws.deployment,
  idleMilliseconds = 20_000,
}: Request): Promise<string> {
  const options = { fileId, output, force, progress: () => noProgress, idleMilliseconds };
  try {
    await downloadFile(deployment, options);
    return 'downloaded';
  } catch (error) {
    expect(['CommandError', 'OperationError']).toContain(error instanceof Error && error.name);
    return messageOf(error);
  }
}

async function downloadOver(object: Way['object'], idleMilliseconds?: number): Promise<string> {
  const way = await openWay(aws.deployment);
  onTestFinished(way.close);
  way.object = object;
  return download({
    output: join(folder, 'out'),
    deployment: way.deployment,
    ...(idleMilliseconds === undefined ? {} : { idleMilliseconds }),
  });
}

describe('a download of other bytes than the stored ones', () => {
  test.each([
    [
      'of the same length',
      `The${content.slice(3)}`,
      /^The bytes that arrived have MD5 [0-9a-f]{32}, but the stored/,
    ],
    [
      'of fewer',
      content.slice(1),
      /^Only 1199999 of 1200000 bytes arrived\. Nothing was written: try again\.$/,
    ],
  ])('%s fails, and writes nothing', async (_, arriving, message) => {
    aws.objects.set('uploads/u1', { body: arriving });
    onTestFinished(() => void aws.objects.set('uploads/u1', { body: content }));
    expect(await download({ output: join(folder, 'out') })).toMatch(message);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a download of content with a recorded checksum', () => {
  const damaged = `${content.slice(0, 600_000)}T${content.slice(600_001)}`;

  // The ETag is no MD5, as under a key of KMS, so that the checksum alone can tell.
  beforeEach(async () => {
    const checksum_crc64nvme = await crc64nvme(Buffer.from(content));
    await putFileWithContent(aws, 'summed', content, undefined, { etag: 'kms', checksum_crc64nvme });
    return () => void aws.objects.set('uploads/u1', { body: content });
  });

  test('writes nothing when a byte is another one, and says both checksums and what to do', async () => {
    aws.objects.set('uploads/u1', { body: damaged });
    const failure = await download({ fileId: 'summed', output: join(folder, 'out') });
    expect(failure).toContain(`have the checksum ${await crc64nvme(Buffer.from(damaged))} (CRC-64/NVME)`);
    expect(failure).toContain(`but ${await crc64nvme(Buffer.from(content))} was recorded`);
    expect(failure).toMatch(/Nothing was written: try again\. If it fails again, .*upload the file again\.$/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('to a stream breaks off before its end when a byte is another one', async () => {
    aws.objects.set('uploads/u1', { body: damaged });
    const { body } = await openContentStream(aws.deployment, 'summed');
    let arrived = 0;
    const read = async () => {
      for await (const chunk of body) {
        arrived += chunk.length;
      }
    };
    await expect(read()).rejects.toThrow(/\(CRC-64\/NVME\).* not to be trusted: try again/);
    expect(arrived).toBeLessThan(content.length);
  });
});

describe('a download that does not arrive', () => {
  test('is given up when nothing more comes, and says how far it came', async () => {
    const failure = await downloadOver({ bytes: 500_000, end: 'stall' }, 2500);
    expect(failure).toMatch(
      /^No data arrived for 2\.5 s after 4\d{5} of 1200000 bytes\. Nothing was written:/,
    );
    expect(failure).toMatch(/try again\.$/);
    expect(await readdir(folder)).toEqual([]);
  });

  test('says how far it came when the connection breaks', async () => {
    const failure = await downloadOver({ bytes: 500_000, end: 'cut' });
    expect(failure).toMatch(/^The connection broke after 4\d{5} of 1200000 bytes \(ECONNRESET\)\./);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('only a regular file is replaced', () => {
  const pipe = async (path: string) => void spawnSync('mkfifo', [path]);
  const linkToFile = async (path: string) => {
    await writeFile(join(folder, 'target'), 'mine');
    await symlink(join(folder, 'target'), path);
  };

  test('what is another thing stays as it is, with --force and without', async () => {
    const kinds = {
      pipe,
      linkToFile,
      linkToNothing: (path: string) => symlink('nothing', path),
      folder: mkdir,
    };
    for (const [kind, make] of Object.entries(kinds)) {
      const output = join(folder, kind);
      await make(output);
      const { ino } = await lstat(output);
      for (const force of [true, false]) {
        expect(await download({ output, force })).toMatch(
          /is a folder, a link or a device, which is not replaced/,
        );
      }
      expect((await lstat(output)).ino).toBe(ino);
    }
  });

  test('a link that appears meanwhile is not replaced either', async () => {
    const output = join(folder, 'late');
    const progress = () => ({ ...noProgress, finish: () => void spawnSync('ln', ['-s', 'nothing', output]) });
    const options = { fileId: 'full', output, force: true, progress, idleMilliseconds: 5000 };
    await expect(downloadFile(aws.deployment, options)).rejects.toThrow('is a folder, a link');
    expect(await readdir(folder)).toEqual(['late']);
  });
});
