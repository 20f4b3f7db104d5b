import type { Item } from '../../../storage/attributes.ts';
import { maxBatchItems } from '../../../storage/batch-get.ts';
import { newestFirst, parsePlace } from '../../../storage/newest-first.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { kinds } from '../deployment/items.ts';
import { InvalidInput } from '../errors.ts';
import type { IndexSource, Pages, PartitionedIndex } from './list.ts';

/**
 * Reads the items of an index, newest first, in arrays of the given length.
 *
 * @param after place to continue after
 */
export async function* indexItems(
  deployment: Deployment,
  source: IndexSource<unknown>,
  after?: string,
  length = maxBatchItems,
): Pages<Item> {
  const client = await dynamoDBClient(deployment);
  const table = deployment.outputs[kinds[source.index.kind].table];
  const start = startAfter(after, source.index);
  let part: Item[] = [];
  for await (const item of newestFirst(table, source, (input) => client.query(input), start)) {
    part.push(item);
    if (part.length === length) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) {
    yield part;
  }
}

/**
 * Returns the item at which a page of a list starts.
 *
 * @throws {OperationError} when the text is not a place in a list
 */
export function startAfter(place: string | undefined, index: PartitionedIndex): Item | undefined {
  if (place === undefined) {
    return undefined;
  }
  const start = parsePlace(place, index);
  if (start === undefined) {
    throw invalidPlace();
  }
  return start;
}

/** Creates the error for a place that is not in a list. */
export function invalidPlace(): InvalidInput {
  return new InvalidInput(
    'The address contains an invalid position in the list. Start at the first page of the list.',
  );
}
