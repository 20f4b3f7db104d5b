import type { Types } from 'dynalite/validations/index.js';
import { unsupportedParameter } from '../protocols/parse-input.ts';
import type { Input } from '../protocols/service.ts';
import { findInDynalite, type TableOperation } from './table-operations.ts';

/**
 * Parameters that dynalite accepts and the emulator rejects: the conditions of before 2014, and parameters
 * that dynalite ignores.
 */
const rejected = [
  ...[
    'AttributesToGet',
    'AttributeUpdates',
    'ConditionalOperator',
    'Expected',
    'KeyConditions',
    'QueryFilter',
  ],
  ...['ScanFilter', 'LocalSecondaryIndexes', 'ProvisionedThroughput'],
  ...['ReturnConsumedCapacity', 'ReturnItemCollectionMetrics'],
];

/** @throws {AwsError} 501 naming an unsupported parameter */
export function requireSupported(operation: TableOperation, input: Input): void {
  // dynalite's Scan does not support ConsistentRead, and engine.ts does.
  const { ConsistentRead, ...others } = input;
  requireKnown(operation === 'Scan' ? others : input, findInDynalite(operation).validation.types);
}

/** Also searches structures, such as the tables of a batch and the indexes of a new table. */
function requireKnown(input: Input, types: Types): void {
  for (const [name, value] of Object.entries(input)) {
    if (types[name] === undefined || rejected.includes(name)) {
      throw unsupportedParameter(name);
    }
    const { type, children } = Object(Object(types[name]).children);
    if (String(type).startsWith('ValueStruct')) {
      for (const item of Object.values(Object(value))) {
        requireKnown(Object(item), children);
      }
    }
  }
}
