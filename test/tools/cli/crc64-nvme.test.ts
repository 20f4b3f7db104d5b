import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCrc64Nvme } from '../../../tools/operator/crc64-nvme.ts';

function checksumOf(...pieces: readonly Uint8Array[]): Promise<string> {
  const crc = createCrc64Nvme();
  for (const piece of pieces) {
    crc.update(piece);
  }
  return crc.digest();
}

/** Cuts the content into pieces of these lengths. The last piece is the rest. */
function cut(content: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const ends = lengths.map((_, index) =>
    lengths.slice(0, index + 1).reduce((sum, length) => sum + length, 0),
  );
  return [0, ...ends].map((start, index) => content.subarray(start, ends[index]));
}

describe('CRC-64/NVME', () => {
  // The check value of the catalogue of CRC algorithms (CRC-64/NVME), then what AWS computed: docs/aws-facts.md names
  // the recordings.
  test.each([
    ['123456789', Buffer.from('ae8b14860a799888', 'hex').toString('base64')],
    ['', 'AAAAAAAAAAA='],
    ['something', '1BGd19PD4OU='],
    ['123456', 'CVmbZh4IWzA='],
    ['test-checksum', '1f2xscCCZCU='],
    ['test data..', 'qUVrWYOrIAM='],
  ])('of %j is %s', async (content, expected) => {
    expect(await checksumOf(Buffer.from(content))).toBe(expected);
  });

  test('is the same however the bytes come in pieces', async () => {
    const contents = fc.uint8Array({ maxLength: 3000, size: 'max' });
    const lengths = fc.array(fc.nat({ max: 700 }), { maxLength: 6, size: 'max' });
    await fc.assert(
      fc.asyncProperty(contents, lengths, async (content, pieces) => {
        expect(await checksumOf(...cut(content, pieces))).toBe(await checksumOf(content));
      }),
    );
  });
});
