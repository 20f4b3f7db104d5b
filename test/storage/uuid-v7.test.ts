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
