import type { Input } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';

/**
 * Start keys of parallel scans. A segment accepts only a key that it returned (API reference, Scan,
 * ExclusiveStartKey). The message of the error is from DynamoDB Local 2.6.1.
 */
export function createStartKeys() {
  const returned = new Set<string>();
  return {
    /** @throws {AwsError} 400 ValidationException for a key that the segment did not return */
    require: ({ ExclusiveStartKey: key, ...scan }: Input) => {
      if (scan.Segment !== undefined && isJsonObject(key) && !returned.has(nameOf(scan, key))) {
        throw new AwsError(400, 'ValidationException', 'Exclusive start key must lie within the segment');
      }
    },
    remember: (scan: Input, key: unknown) => {
      if (scan.Segment !== undefined && isJsonObject(key)) {
        returned.add(nameOf(scan, key));
      }
    },
  };
}

function nameOf({ TableName, IndexName, Segment, TotalSegments }: Input, key: object): string {
  const members = Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([TableName, IndexName, Segment, TotalSegments, members]);
}
