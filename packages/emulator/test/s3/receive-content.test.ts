import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { receiveContent } from '../../s3/receive-content.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const piece = 256 * 1024;

/**
 * Content in chunks, as a connection delivers it. Broken content ends with an error in the middle of a chunk.
 */
async function* sent(content: Buffer, breaksOff: boolean): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += piece) {
    await new Promise((resolve) => setImmediate(resolve));
    yield content.subarray(start, start + piece);
    if (breaksOff && start > content.length / 2) {
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
  }
}

test('stores complete content, and nothing of interrupted content', async () => {
  const folder = await temporaryFolder();
  const contents = Array.from({ length: 24 }, (_, index) => randomBytes(((index % 7) + 5) * piece));

  const receive = (index: number) => {
    const content = sent(contents[index] ?? Buffer.alloc(0), index % 2 === 1);
    return receiveContent(content, join(folder, `${index}`), 'crc64nvme').then(
      () => true,
      () => false,
    );
  };
  // Eight concurrent senders, each with one content after another: files are opened while others are closed.
  const senders = Array.from({ length: 8 }, async (_, index) => [
    await receive(index),
    await receive(index + 8),
    await receive(index + 16),
  ]);
  expect(await Promise.all(senders)).toEqual(senders.map((_, index) => Array(3).fill(index % 2 === 0)));

  const whole = contents.map((_, index) => index).filter((index) => index % 2 === 0);
  expect((await readdir(folder)).sort()).toEqual(whole.map(String).sort());
  const stored = await Promise.all(whole.map((index) => readFile(join(folder, `${index}`))));
  const isWhole = stored.map((content, at) => content.equals(contents[whole[at] ?? 0] ?? Buffer.alloc(0)));
  expect(isWhole).toEqual(whole.map(() => true));
});

test.for(['crc32', 'crc64nvme'] as const)('computes the %s over all chunks', async (name) => {
  const folder = await temporaryFolder();
  const content = randomBytes(5 * piece);
  const inPieces = await receiveContent(sent(content, false), join(folder, 'pieces'), name);
  const inOne = await receiveContent(Readable.from([content]), join(folder, 'one'), name);
  expect(inPieces.checksum).toEqual(inOne.checksum);
});
