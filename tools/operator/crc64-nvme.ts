import { Crc64Nvme } from '@aws-sdk/checksums/crc';

/** A checksum that is computed of bytes as they pass. */
export interface RunningChecksum {
  readonly update: (bytes: Uint8Array) => void;
  /** Base64, as S3 writes it. */
  readonly digest: () => Promise<string>;
}

/** CRC-64/NVME, the checksum that S3 computes of an object that came without one. */
export function createCrc64Nvme(): RunningChecksum {
  const crc = new Crc64Nvme();
  return {
    update: (bytes) => crc.update(bytes),
    digest: async () => Buffer.from(await crc.digest()).toString('base64'),
  };
}
