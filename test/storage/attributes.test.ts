import { describe, expect, test } from 'vitest';
import { selectAttributes, textAttribute, textAttributes } from '../../storage/attributes.ts';

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
