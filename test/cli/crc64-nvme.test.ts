import { Crc64Nvme as Crc64NvmeOfSdk } from '@aws-sdk/checksums/crc';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Crc64Nvme } from '../../cli/crc64-nvme.ts';
import { Crc64Nvme as Crc64NvmeOfEmulator } from '../../emulator/s3/crc64-nvme.ts';

/** The pieces are views of one memory, so that they begin at every alignment. */
function pieces(content: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const cut: Uint8Array[] = [];
  let start = 0;
  for (const length of lengths) {
    cut.push(content.subarray(start, start + length));
    start += length;
  }
  return [...cut, content.subarray(start)];
}

async function digestOfSdk(content: Uint8Array): Promise<string> {
  const crc = new Crc64NvmeOfSdk();
  crc.update(content);
  return Buffer.from(await crc.digest()).toString('base64');
}

describe.each([
  ['the command line', () => new Crc64Nvme()],
  ['the emulator', () => new Crc64NvmeOfEmulator()],
] as const)('CRC-64/NVME of %s', (_, create) => {
  const digest = (...parts: readonly Uint8Array[]): string => {
    const crc = create();
    for (const part of parts) {
      crc.update(part);
    }
    const result = crc.digest();
    return typeof result === 'string' ? result : result.toString('base64');
  };

  // The check value of the catalogue of CRC algorithms (CRC-64/NVME), then what AWS computed: docs/aws-facts.md names
  // the recordings.
  test.each([
    ['123456789', Buffer.from('ae8b14860a799888', 'hex').toString('base64')],
    ['', 'AAAAAAAAAAA='],
    ['something', '1BGd19PD4OU='],
    ['123456', 'CVmbZh4IWzA='],
    ['test-checksum', '1f2xscCCZCU='],
    ['test data..', 'qUVrWYOrIAM='],
  ])('of %j is %s', (content, expected) => {
    expect(digest(Buffer.from(content))).toBe(expected);
  });

  test('is that of the SDK, however the bytes come in pieces', async () => {
    const contents = fc.uint8Array({ maxLength: 3000, size: 'max' });
    const lengths = fc.array(fc.nat({ max: 700 }), { maxLength: 6, size: 'max' });
    await fc.assert(
      fc.asyncProperty(contents, lengths, async (content, cuts) => {
        expect(digest(...pieces(content, cuts))).toBe(await digestOfSdk(content));
      }),
    );
  });

  test('differs when any bit of the content does', () => {
    const content = Buffer.from('the content of a file, of 37 bytes...');
    const whole = digest(content);
    for (let bit = 0; bit < content.length * 8; bit += 1) {
      const flipped = Buffer.from(content);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(digest(flipped)).not.toBe(whole);
    }
  });
});
