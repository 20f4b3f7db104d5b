const counterBits = 12;

/**
 * Creates a generator of UUIDs of version 7 (RFC 9562 section 5.7). Sorted as text, they are in the order of
 * creation. They contain 48 bits of Unix time in milliseconds, a 12-bit counter within a millisecond (section
 * 6.2, method 1; its first value is random, with the top bit clear), and 62 random bits. If the clock goes
 * back, the order within the process stays correct.
 *
 * @param now clock, in milliseconds since the epoch
 * @param randomBytes function that returns the given number of cryptographically random bytes
 *
 * @example
 * ```ts
 * const newUploadId = createUuidV7(Date.now, randomBytes);
 * const uploadId = newUploadId();
 * ```
 */
export function createUuidV7(now: () => number, randomBytes: (size: number) => Uint8Array): () => string {
  let timestamp = 0;
  let counter = 0;

  return () => {
    const random = Buffer.from(randomBytes(10));
    const current = Math.floor(now());
    if (current > timestamp) {
      timestamp = current;
      counter = random.readUInt16BE(8) >>> (16 - counterBits + 1);
    } else if (++counter === 1 << counterBits) {
      timestamp += 1;
      counter = 0;
    }
    return format(timestamp, counter, random);
  };
}

/** Returns the creation time of the UUID, in milliseconds since the epoch. */
export function uuidV7Time(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** The text form of a version 7 UUID, in lower case. */
export const uuidV7Pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function format(timestamp: number, counter: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(timestamp, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  random.copy(bytes, 8, 0, 8);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return parts.join('-');
}

/** Returns the common prefix of version 7 UUIDs of a time (RFC 9562 section 5.7). */
export function uuidV7Start(milliseconds: number): string {
  const digits = Math.max(milliseconds, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
