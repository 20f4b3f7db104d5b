import { expect, test } from 'vitest';
import { tombstoneObject, tombstoneOf, tombstones } from '../../storage/tombstone.ts';

test('a tombstone is an empty object that is known by its tag', () => {
  expect(tombstones).toEqual(['cancelled', 'superseded']);
  for (const kind of tombstones) {
    expect(tombstoneObject('uploads/a', kind)).toEqual({
      Key: 'uploads/a',
      Body: new Uint8Array(0),
      ContentLength: 0,
      Tagging: `tombstone=${kind}`,
    });
    const owner = { Key: 'owner', Value: 'acme' };
    expect(tombstoneOf([owner, { Key: 'tombstone', Value: kind }])).toBe(kind);
    expect(tombstoneOf([{ Key: 'owner', Value: kind }])).toBeUndefined();
    expect(tombstoneOf([{ Key: 'Tombstone', Value: kind }])).toBeUndefined();
  }
  expect(tombstoneOf([])).toBeUndefined();
});
