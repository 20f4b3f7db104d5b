import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { receiveContent } from '../../s3/receive-content.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const piece = 256 * 1024;

/** Content in chunks, as a connection delivers it. */
async function* sent(content: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += piece) {
    await new Promise((resolve) => setImmediate(resolve));
    yield content.subarray(start, start + piece);
  }
}

test('a checksum covers all chunks', async () => {
  const folder = await temporaryFolder();
  const content = randomBytes(5 * piece);
  const inPieces = await receiveContent(sent(content), join(folder, 'pieces'), false);
  const inOne = await receiveContent(Readable.from([content]), join(folder, 'one'), false);
  expect(inPieces.crc64nvme).toBe(inOne.crc64nvme);
});
