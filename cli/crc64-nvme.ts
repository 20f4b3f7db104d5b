import { endianness } from 'node:os';

/**
 * The polynomial of CRC-64/NVME with its bits reversed (NVM Express, NVM Command Set Specification, "64b CRC
 * Calculation").
 */
const polynomial = 0x9a6c9329ac4bc9b5n;

/** Bytes that one step takes. */
const stepBytes = 8;

/** The checksum of each byte with 0 to 7 zero bytes behind it: eight rows of 256 entries, in halves of 32 bits. */
interface Tables {
  readonly low: Int32Array;
  readonly high: Int32Array;
}

/** Made when they are first needed. */
let tables: Tables | undefined;

function makeTables(): Tables {
  const first = Array.from({ length: 256 }, (_, byte) => checksumOfByte(BigInt(byte)));
  const low = new Int32Array(256 * stepBytes);
  const high = new Int32Array(256 * stepBytes);
  let row = first;
  for (let start = 0; start < low.length; start += 256) {
    for (const [byte, entry] of row.entries()) {
      low[start + byte] = Number(BigInt.asIntN(32, entry));
      high[start + byte] = Number(BigInt.asIntN(32, entry >> 32n));
    }
    row = row.map((entry) => (entry >> 8n) ^ (first[Number(entry & 0xffn)] ?? 0n));
  }
  return { low, high };
}

function checksumOfByte(byte: bigint): bigint {
  let checksum = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    checksum = checksum & 1n ? (checksum >> 1n) ^ polynomial : checksum >> 1n;
  }
  return checksum;
}

/**
 * CRC-64/NVME, the checksum that S3 computes of an object that came without one. It takes eight bytes with each step
 * ("slicing by 8") and reads them as two words, so that it is about twice as fast as that of the SDK.
 */
export class Crc64Nvme {
  readonly #tables: Tables;
  #low = -1;
  #high = -1;

  constructor() {
    tables ??= makeTables();
    this.#tables = tables;
  }

  update(bytes: Uint8Array): void {
    // A word must start at a multiple of four bytes of the memory. Its bytes must be in the order of the content.
    const start = Math.min(bytes.length, -bytes.byteOffset & 3);
    const steps = endianness() === 'LE' ? Math.floor((bytes.length - start) / stepBytes) : 0;
    this.#takeBytes(bytes.subarray(0, start));
    if (steps > 0) {
      this.#takeSteps(new Int32Array(bytes.buffer, bytes.byteOffset + start, 2 * steps));
    }
    this.#takeBytes(bytes.subarray(start + steps * stepBytes));
  }

  /** Base64, as S3 writes it. */
  digest(): string {
    const digest = Buffer.alloc(8);
    digest.writeInt32BE(~this.#high, 0);
    digest.writeInt32BE(~this.#low, 4);
    return digest.toString('base64');
  }

  #takeBytes(bytes: Uint8Array): void {
    const { low, high } = this.#tables;
    for (const byte of bytes) {
      const entry = (this.#low ^ byte) & 0xff;
      this.#low = ((this.#low >>> 8) | (this.#high << 24)) ^ (low[entry] ?? 0);
      this.#high = (this.#high >>> 8) ^ (high[entry] ?? 0);
    }
  }

  #takeSteps(words: Int32Array): void {
    const { low: l, high: h } = this.#tables;
    let low = this.#low;
    let high = this.#high;
    for (let i = 0; i < words.length; i += 2) {
      low ^= words[i] ?? 0;
      high ^= words[i + 1] ?? 0;
      // The first byte has seven more behind it.
      const a = 0x700 + (low & 0xff);
      const b = 0x600 + ((low >>> 8) & 0xff);
      const c = 0x500 + ((low >>> 16) & 0xff);
      const d = 0x400 + (low >>> 24);
      const e = 0x300 + (high & 0xff);
      const f = 0x200 + ((high >>> 8) & 0xff);
      const g = 0x100 + ((high >>> 16) & 0xff);
      const z = high >>> 24;
      // Every index is within its table. The zeros are for the compiler, and cost nothing.
      low = (l[a] ?? 0) ^ (l[b] ?? 0) ^ (l[c] ?? 0) ^ (l[d] ?? 0);
      low ^= (l[e] ?? 0) ^ (l[f] ?? 0) ^ (l[g] ?? 0) ^ (l[z] ?? 0);
      high = (h[a] ?? 0) ^ (h[b] ?? 0) ^ (h[c] ?? 0) ^ (h[d] ?? 0);
      high ^= (h[e] ?? 0) ^ (h[f] ?? 0) ^ (h[g] ?? 0) ^ (h[z] ?? 0);
    }
    this.#low = low;
    this.#high = high;
  }
}
