import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { isSound, type Kind, kinds } from '../deployment/items.ts';
import type { ReadProgress } from './list.ts';

/** Number of segments of a table that are read in parallel. */
const segments = 4;

/**
 * Reads a whole table, with consistent reads. A call reads 1 MB, about 2,500 clients or files, for 256 read
 * units.
 *
 * @returns matching items that are not damaged, unsorted, with the number of items `read`, and `isCutShort`:
 * true if time ran out before all items were read
 */
export async function scanTable(
  deployment: Deployment,
  kind: Kind,
  matches: (item: Item) => boolean,
  { isTimeUp, progress }: ReadProgress,
) {
  const database = await dynamoDBClient(deployment);
  const TableName = deployment.outputs[kinds[kind].table];
  const items: Item[] = [];
  let [read, isCutShort] = [0, false];
  const readSegment = async (Segment: number) => {
    const scan = { TableName, ConsistentRead: true, Segment, TotalSegments: segments };
    for await (const { Items = [], LastEvaluatedKey } of database.paginateScan(scan)) {
      items.push(...Items.filter((item) => isSound(deployment, kind, item) && matches(item)));
      read += Items.length;
      progress?.(read);
      if (LastEvaluatedKey !== undefined && isTimeUp?.(read)) {
        isCutShort = true;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: segments }, (_, segment) => readSegment(segment)));
  return { items, read, isCutShort };
}
