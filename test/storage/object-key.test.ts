import { expect, test } from 'vitest';
import { objectKeyOf, uploadIdOf } from '../../storage/object-key.ts';

const id = '019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49';

test('the key of an upload is a prefix and the id of the upload, and gives the id back', () => {
  expect(objectKeyOf(id)).toBe(`uploads/${id}`);
  expect(uploadIdOf(`uploads/${id}`)).toBe(id);
});

test('no other key is that of an upload', () => {
  const otherIds = [
    ...[
      '',
      `x${id}`,
      `${id}x`,
      `${id}/x`,
      `${id}\n`,
      id.slice(0, -1),
      id.toUpperCase(),
      id.replaceAll('-', ''),
    ],
    ...[`g${id.slice(1)}`, `${id.slice(0, -1)}g`],
    // A UUID of version 4, and one of another variant.
    ...[id.replace('-7001-', '-4001-'), id.replace('-8f43-', '-cf43-')],
  ];
  const keys = [
    ...[
      '',
      id,
      `Uploads/${id}`,
      `uploads.${id}`,
      `xuploads/${id}`,
      `/uploads/${id}`,
      `uploads/uploads/${id}`,
    ],
    ...otherIds.map((other) => `uploads/${other}`),
  ];
  expect(keys.filter((key) => uploadIdOf(key) !== undefined)).toEqual([]);
});
