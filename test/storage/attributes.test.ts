import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  booleanAttribute,
  numberAttribute,
  selectAttributes,
  textAttribute,
  textAttributes,
  timeAttribute,
} from '../../storage/attributes.ts';

describe('attributes as DynamoDB returns them', () => {
  test.each([
    ['a whole number', numberAttribute, { N: '-12' }, -12],
    ['a text', textAttribute, { S: '' }, ''],
    ['a boolean', booleanAttribute, { BOOL: false }, false],
    ['a time', timeAttribute, { S: '2026-01-31T09:00:00.000Z' }, '2026-01-31T09:00:00.000Z'],
  ])('%s is read', (_, schema, attribute, value) => {
    expect(v.parse(schema as v.GenericSchema, attribute)).toBe(value);
  });

  test.each([
    ['a number with a text before it', numberAttribute, { N: 'x1' }],
    ['a number with a text after it', numberAttribute, { N: '1x' }],
    ['a fraction', numberAttribute, { N: '1.5' }],
    ['an exponent', numberAttribute, { N: '1e3' }],
    ['no number', numberAttribute, { N: '' }],
    ['a number of another type', numberAttribute, { S: '1' }],
    ['a text of another type', textAttribute, { N: '1' }],
    ['a boolean of another type', booleanAttribute, { BOOL: 'true' }],
    ['a time that is none', timeAttribute, { S: 'now' }],
  ])('%s is refused', (_, schema, attribute) => {
    expect(v.safeParse(schema as v.GenericSchema, attribute).success).toBe(false);
  });
});

describe('an attribute', () => {
  test('without a value is absent, never null', () => {
    expect(textAttributes({ name: 'Acme', revoked_at: undefined })).toStrictEqual({ name: { S: 'Acme' } });
  });

  test('is read by a placeholder, because DynamoDB reserves some names', () => {
    const { projection } = selectAttributes('thing', { name: textAttribute, status: textAttribute });
    expect(projection).toEqual({
      ProjectionExpression: '#name, #status',
      ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
    });
  });
});
