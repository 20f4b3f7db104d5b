import { describe, expect, test } from 'vitest';
import { objectKeyOf, uploadIdOf } from '../../storage/object-key.ts';

const id = '019c1b2e-7d3a-7001-8f43-5e0d1c2b3a49';

describe('the key of an upload', () => {
  test('is a prefix and the id of the upload, and gives the id back', () => {
    expect(objectKeyOf(id)).toBe(`uploads/${id}`);
    expect(uploadIdOf(`uploads/${id}`)).toBe(id);
  });

  test.each([
    ['nothing', ''],
    ['the prefix alone', 'uploads/'],
    ['the id alone', id],
    ['another prefix of the same length', `Uploads/${id}`],
    ['another character in place of the slash', `uploads.${id}`],
    ['a text before the prefix', `xuploads/${id}`],
    ['a slash before the prefix', `/uploads/${id}`],
    ['the prefix twice', `uploads/uploads/${id}`],
    ['another folder', `uploads/x/${id}`],
    ['a text before the id', `uploads/x${id}`],
    ['a text after the id', `uploads/${id}x`],
    ['a folder after the id', `uploads/${id}/x`],
    ['a line break after the id', `uploads/${id}\n`],
    ['a character too few', `uploads/${id.slice(0, -1)}`],
    ['upper case', `uploads/${id.toUpperCase()}`],
    ['a UUID of version 4', `uploads/${id.replace('-7001-', '-4001-')}`],
    ['a UUID of another variant', `uploads/${id.replace('-8f43-', '-cf43-')}`],
    ['a UUID without hyphens', `uploads/${id.replaceAll('-', '')}`],
    ['another character in the first group', `uploads/g${id.slice(1)}`],
    ['another character in the last group', `uploads/${id.slice(0, -1)}g`],
  ])('is not one with %s', (_, key) => {
    expect(uploadIdOf(key)).toBeUndefined();
  });
});
