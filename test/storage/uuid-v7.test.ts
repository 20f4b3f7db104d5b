import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createUuidV7, uuidV7Pattern, uuidV7Time } from '../../storage/uuid-v7.ts';

describe('UUIDv7 (RFC 9562 section 5.7)', () => {
  test('agrees with the test vector of RFC 9562 appendix A.6 in time, version and variant', () => {
    const uuid = createUuidV7(() => 0x017f22e279b0, randomBytes)();
    expect(uuid).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuid).toMatch(uuidV7Pattern);
    expect(uuidV7Time(uuid)).toBe(0x017f22e279b0);
  });

  test.each([
    ['all zero', () => 0, '017f22e2-79b0-7000-8000-000000000000'],
    // The top bit of the counter is clear.
    ['all one', () => 0xff, '017f22e2-79b0-77ff-bfff-ffffffffffff'],
    // The counter starts with the first 11 bits of the last two bytes.
    ['1 to 10', (index: number) => index + 1, '017f22e2-79b0-7048-8102-030405060708'],
  ] as const)('holds the random bytes, version and variant in their places: %s', (_which, byteAt, uuid) => {
    const random = (size: number) => Uint8Array.from({ length: size }, (_, index) => byteAt(index));
    expect(createUuidV7(() => 0x017f22e279b0, random)()).toBe(uuid);
  });

  test('counts up within a millisecond, to 4,095, and then in the next one from 0', () => {
    const next = createUuidV7(
      () => 0x017f22e279b0,
      (size) => new Uint8Array(size).fill(0xff),
    );
    const uuids = Array.from({ length: 2050 }, () => next().slice(0, 18));
    expect([uuids[0], uuids[1], uuids[2048], uuids[2049]]).toEqual([
      '017f22e2-79b0-77ff',
      '017f22e2-79b0-7800',
      '017f22e2-79b0-7fff',
      '017f22e2-79b1-7000',
    ]);
  });

  test('sorts in the order of making, within a millisecond too', () => {
    const next = createUuidV7(() => 1_700_000_000_000, randomBytes);
    const uuids = Array.from({ length: 10_000 }, next);
    expect(uuids.toSorted()).toEqual(uuids);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  test('sorts in the order of making when the clock goes back', () => {
    const times = [1000, 2000, 1500, 1500, 2000, 2001];
    const next = createUuidV7(() => times.shift() ?? 3000, randomBytes);
    const uuids = Array.from({ length: 6 }, next);
    expect(uuids.toSorted()).toEqual(uuids);
  });

  test('goes on into the next millisecond when 4,096 were made in one', () => {
    const next = createUuidV7(
      () => 1000,
      (size) => new Uint8Array(size).fill(0xff),
    );
    const uuids = Array.from({ length: 4096 }, next);
    expect(uuidV7Time(uuids[0] ?? '')).toBe(1000);
    expect(uuidV7Time(uuids.at(-1) ?? '')).toBe(1001);
    expect(uuids.toSorted()).toEqual(uuids);
  });

  test('has 62 random bits of its own each time', () => {
    const next = createUuidV7(() => 1000, randomBytes);
    const tails = new Set(Array.from({ length: 1000 }, () => next().slice(19)));
    expect(tails.size).toBe(1000);
  });
});
