import { describe, expect, test } from 'vitest';
import { tombstoneObject, tombstoneOf } from '../../storage/tombstone.ts';

describe('a tombstone', () => {
  test.each(['cancelled', 'superseded'] as const)('is an empty object, tagged %s', (kind) => {
    const { Key, Body, ContentLength, Tagging } = tombstoneObject('uploads/a', kind);
    expect({ Key, ContentLength, Tagging }).toEqual({
      Key: 'uploads/a',
      ContentLength: 0,
      Tagging: `tombstone=${kind}`,
    });
    expect(Body).toEqual(new Uint8Array(0));
  });

  test.each(['cancelled', 'superseded'])('is known by its tag: %s', (kind) => {
    expect(
      tombstoneOf([
        { Key: 'owner', Value: 'acme' },
        { Key: 'tombstone', Value: kind },
      ]),
    ).toBe(kind);
  });

  test.each([[[]], [[{ Key: 'owner', Value: 'cancelled' }]], [[{ Key: 'Tombstone', Value: 'cancelled' }]]])(
    'is no object with the tags %j',
    (tags) => {
      expect(tombstoneOf(tags)).toBeUndefined();
    },
  );
});
