import { tombstoneObject, tombstoneOf, tombstones } from '../../storage/tombstone.ts';

test.for(tombstones)('a tombstone is an empty object with the tag %s', (kind) => {
  expect(tombstoneObject('uploads/a', kind)).toEqual({
    Key: 'uploads/a',
    Body: new Uint8Array(0),
    ContentLength: 0,
    Tagging: `tombstone=${kind}`,
  });
  const owner = { Key: 'owner', Value: 'acme' };
  expect(tombstoneOf([owner, { Key: 'tombstone', Value: kind }])).toBe(kind);
});

test.for([[], [{ Key: 'owner', Value: 'cancelled' }], [{ Key: 'Tombstone', Value: 'cancelled' }]])(
  'an object with the tags %j is no tombstone',
  (tags) => expect(tombstoneOf(tags)).toBeUndefined(),
);
