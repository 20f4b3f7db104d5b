import type { Input } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { tableType } from './resource-types.ts';

/**
 * Rejects a write with an empty text for the key of an index, which dynalite accepts. The message is
 * DynamoDB's, as users report it (github.com/architect/dynalite/issues/184).
 *
 * @throws {AwsError} 400 ValidationException
 */
export function requireIndexKeys(input: Input, resources: readonly Resource[]): void {
  const table = ofType(resources, tableType).find(({ ref }) => ref === input.TableName);
  for (const { IndexName, KeySchema } of table?.properties.GlobalSecondaryIndexes ?? []) {
    const key = KeySchema.find(({ AttributeName }) => isEmpty(newValue(input, AttributeName)));
    if (key !== undefined) {
      const text =
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The ' +
        `AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${IndexName}, ` +
        `IndexKey: ${key.AttributeName}`;
      throw new AwsError(400, 'ValidationException', text);
    }
  }
}

/** Returns the value that a PutItem, or the expression of an UpdateItem, assigns to an attribute. */
function newValue(input: Input, attribute: string): unknown {
  const { Item, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = input;
  const names = Object(ExpressionAttributeNames);
  const assigned = [...String(UpdateExpression ?? '').matchAll(/(#?\w+)\s*=\s*(:\w+)/g)]
    .filter(([, name = '']) => (names[name] ?? name) === attribute)
    .map(([, , value = '']) => Object(ExpressionAttributeValues)[value]);
  return [Object(Item)[attribute], ...assigned].find((value) => value !== undefined);
}

function isEmpty(value: unknown): boolean {
  return Object(value).S === '';
}
