import { unsupportedParameter } from '../protocols/parse-input.ts';
import type { Input } from '../protocols/service.ts';
import { isJsonObject } from '../shared/json.ts';
import type { TableOperation } from './table-operations.ts';

/** An operation that callers have. The emulator itself makes the tables. */
export type CalledOperation = Exclude<TableOperation, 'CreateTable'> | 'UpdateTable';

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

const honouredOfBatch = ['ConsistentRead', 'ExpressionAttributeNames', 'Keys', 'ProjectionExpression'];

export function isCalledOperation(name: string): name is CalledOperation {
  return Object.hasOwn(honoured, name);
}

/** @throws {AwsError} 501 naming a parameter that the emulator does not honour */
export function requireHonoured(operation: CalledOperation, input: Input): void {
  requireNames(input, honoured[operation]);
  const tables = isJsonObject(input.RequestItems) ? Object.values(input.RequestItems) : [];
  for (const table of tables) {
    requireNames(Object(table), honouredOfBatch);
  }
}

function requireNames(input: Input, names: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw unsupportedParameter(unknown);
  }
}
