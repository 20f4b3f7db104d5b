import { unsupportedParameter } from '../protocols/parse-input.ts';
import type { Input } from '../protocols/service.ts';
import type { TableOperation } from './table-operations.ts';

/** An operation that callers have. */
export type CalledOperation = TableOperation | 'UpdateTable';

const expressions = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];
const write = ['TableName', 'ConditionExpression', 'ReturnValues', ...expressions];
const read = ['TableName', 'ConsistentRead', 'ProjectionExpression'];
const list = [
  ...read,
  ...expressions,
  'ExclusiveStartKey',
  'FilterExpression',
  'IndexName',
  'Limit',
  'Select',
];

/**
 * The parameters that each operation honours. dynalite also takes the conditions of before 2014, and
 * ignores some other parameters.
 */
const honoured: Readonly<Record<CalledOperation, readonly string[]>> = {
  BatchGetItem: ['RequestItems'],
  CreateTable: ['AttributeDefinitions', 'BillingMode', 'GlobalSecondaryIndexes', 'KeySchema', 'TableName'],
  DeleteItem: [...write, 'Key'],
  DescribeTable: ['TableName'],
  GetItem: [...read, 'Key', 'ExpressionAttributeNames'],
  PutItem: [...write, 'Item'],
  Query: [...list, 'KeyConditionExpression', 'ScanIndexForward'],
  Scan: [...list, 'Segment', 'TotalSegments'],
  // The template decides about everything else.
  UpdateTable: ['TableName', 'DeletionProtectionEnabled'],
  UpdateItem: [...write, 'Key', 'UpdateExpression'],
};

/** The same of each table in a batch, and of each index of a new table. */
const honouredOfTable = ['ConsistentRead', 'ExpressionAttributeNames', 'Keys', 'ProjectionExpression'];
const honouredOfIndex = ['IndexName', 'KeySchema', 'Projection'];

export function isCalledOperation(name: string): name is CalledOperation {
  return Object.hasOwn(honoured, name);
}

/** @throws {AwsError} 501 naming a parameter that the emulator does not honour */
export function requireHonoured(operation: CalledOperation, input: Input): void {
  requireNames(input, honoured[operation]);
  for (const table of Object.values(Object(input.RequestItems))) {
    requireNames(Object(table), honouredOfTable);
  }
  for (const index of [input.GlobalSecondaryIndexes ?? []].flat()) {
    requireNames(Object(index), honouredOfIndex);
  }
}

function requireNames(input: Input, names: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw unsupportedParameter(unknown);
  }
}
