import { expect, test } from 'vitest';
import { requireIndexKeys } from '../../dynamodb/index-keys.ts';
import { table } from '../support/aws-services.ts';

const owned = table({ 'by-owner': 'owner' });

const parserErrorResponse =
  'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-owner, IndexKey: owner';

test.for<[string, object]>([
  ['in an item', { Item: { owner: { S: '' } } }],
  [
    'in an expression',
    { UpdateExpression: 'SET owner = :o', ExpressionAttributeValues: { ':o': { S: '' } } },
  ],
  [
    'in an expression with names',
    {
      UpdateExpression: 'SET #x=:x,#o=:o',
      ExpressionAttributeNames: { '#o': 'owner', '#x': 'x' },
      ExpressionAttributeValues: { ':o': { S: '' }, ':x': { S: 'x' } },
    },
  ],
])('an empty text is rejected as the key of an index %s', ([, input]) => {
  expect(() => requireIndexKeys({ TableName: owned.ref, ...input }, [owned])).toThrow(parserErrorResponse);
  expect(() => requireIndexKeys({ TableName: 'other', ...input }, [owned])).not.toThrow();
});

test('other attributes accept an empty text', () => {
  const Item = { owner: { S: 'acme' }, note: { S: '' } };
  expect(() => requireIndexKeys({ TableName: owned.ref, Item }, [owned])).not.toThrow();
});
