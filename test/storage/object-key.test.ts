import { objectKeyOf, uploadIdOf } from '../../storage/object-key.ts';

const id = '019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49';

test('the key of an upload is a prefix and the id of the upload', () => {
  expect(objectKeyOf(id)).toBe(`uploads/${id}`);
  expect(uploadIdOf(`uploads/${id}`)).toBe(id);
});

const otherIds = [
  ...['', `x${id}`, `${id}x`, `${id}/x`, `${id}\n`, `g${id.slice(1)}`, `${id.slice(0, -1)}g`],
  ...[id.slice(0, -1), id.toUpperCase(), id.replaceAll('-', '')],
  // A UUID of version 4, and one of another variant.
  ...[id.replace('-7001-', '-4001-'), id.replace('-8f43-', '-cf43-')],
];

test.for([
  ...['', id, `Uploads/${id}`, `uploads.${id}`, `xuploads/${id}`, `/uploads/${id}`, `uploads/uploads/${id}`],
  ...otherIds.map((other) => `uploads/${other}`),
])('no upload has the key %j', (key) => {
  expect(uploadIdOf(key)).toBeUndefined();
});
