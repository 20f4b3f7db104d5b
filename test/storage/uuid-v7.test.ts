import { randomBytes } from 'node:crypto';
import { createUuidV7, uuidV7Pattern, uuidV7Start, uuidV7Time } from '../../storage/uuid-v7.ts';

const ones = (size: number) => new Uint8Array(size).fill(0xff);

describe('UUIDv7 (RFC 9562 section 5.7)', () => {
  // Appendix A.6.
  test('contains time, version, variant, counter and random bytes', () => {
    const at = 0x017f22e279b0;
    const fixed = (byteAt: (index: number) => number) =>
      createUuidV7(
        () => at,
        (size) => Uint8Array.from({ length: size }, (_, index) => byteAt(index)),
      )();
    expect(fixed(() => 0)).toBe('017f22e2-79b0-7000-8000-000000000000');
    // The top bit of the counter is clear.
    expect(fixed(() => 0xff)).toBe('017f22e2-79b0-77ff-bfff-ffffffffffff');
    // The counter starts with the first 11 bits of the last two bytes.
    const uuid = fixed((index) => index + 1);
    expect(uuid).toBe('017f22e2-79b0-7048-8102-030405060708');
    expect(uuid).toMatch(uuidV7Pattern);
    expect(uuidV7Time(uuid)).toBe(at);
    expect([uuidV7Start(at), uuidV7Start(-1)]).toEqual(['017f22e2-79b0', '00000000-0000']);
  });

  test('counts up to 4,095, and then in the next millisecond from 0', () => {
    const next = createUuidV7(() => 0x017f22e279b0, ones);
    const uuids = Array.from({ length: 4096 }, next);
    expect([0, 1, 2048, 2049].map((index) => uuids[index]?.slice(0, 18))).toEqual([
      '017f22e2-79b0-77ff',
      '017f22e2-79b0-7800',
      '017f22e2-79b0-7fff',
      '017f22e2-79b1-7000',
    ]);
    expect(uuids.toSorted()).toEqual(uuids);
  });

  // Within a millisecond, and when the clock goes back.
  test('sorts in the order of making', () => {
    const times = [1000, 2000, 1500, 1500, 2000, 2001];
    const next = createUuidV7(() => times.shift() ?? 3000, randomBytes);
    const uuids = Array.from({ length: 10_000 }, next);
    expect(uuids.toSorted()).toEqual(uuids);
    expect(new Set(uuids.map((uuid) => uuid.slice(19))).size).toBe(uuids.length);
  });
});
