import type { Item } from '../../../storage/attributes.ts';
import { maxBatchItems } from '../../../storage/batch-get.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { inParallel } from './in-parallel.ts';
import { existingIds, type Kind, kinds, putItem } from './items.ts';
import { type Place, placesOf } from './restore-place.ts';

/** Difference between a copy and the table of the service. */
export interface Comparison {
  readonly fromTable: string;
  readonly kind: Kind;
  /** Ids of the missing items. Each client has a description. */
  readonly missing: ReadonlyMap<string, string>;
  /** Number of items that the service kept. */
  readonly kept: number;
}

/**
 * Compares a copy with the table of the service.
 *
 * @param fromTable name of the copy, a table that DynamoDB restored to an earlier state
 * @param progress callback, called with the number of compared items
 * @throws {OperationError} when the table is not a copy of a table of the service
 */
export async function compareTable(
  deployment: Deployment,
  fromTable: string,
  progress: (compared: number) => void,
): Promise<Comparison> {
  const kind = await kindOfCopy(deployment, fromTable);
  const missing = new Map<string, string>();
  let compared = 0;
  for await (const items of pagesOf(deployment, fromTable)) {
    await inParallel(batchesOf(items), async (batch) => {
      const existing = await existingIds(deployment, kind, batch.map(idIn(kind)));
      for (const item of batch) {
        if (!existing.has(idIn(kind)(item))) {
          missing.set(idIn(kind)(item), kind === 'client' ? describeClient(item) : '');
        }
      }
      compared += batch.length;
      progress(compared);
    });
  }
  return { fromTable, kind, missing, kept: compared - missing.size };
}

/**
 * Writes the missing items in their {@link Place}. An item that was created since the comparison is newer, and
 * stays unchanged. A repeat is safe after a crash at any point: each item is written once, with all its marks.
 *
 * @param reinstates true if clients return with their status. False to revoke them
 * @param progress callback, called with the number of written items
 * @returns the places of the written items, by id
 */
export async function writeMissing(
  deployment: Deployment,
  { fromTable, kind, missing }: Comparison,
  reinstates: boolean,
  progress: (written: number) => void,
): Promise<ReadonlyMap<string, Place>> {
  const written = new Map<string, Place>();
  const condition = {
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': kinds[kind].key },
  };
  for await (const items of pagesOf(deployment, fromTable)) {
    for (const batch of batchesOf(items.filter((item) => missing.has(idIn(kind)(item))))) {
      const placeOf = await placesOf(deployment, kind, batch, reinstates);
      await inParallel(batch, async (copied) => {
        const { item, place } = await placeOf(copied);
        if ((await putItem(deployment, kind, { Item: item, ...condition }, false)) !== 'rejected') {
          written.set(idIn(kind)(item), place);
          progress(written.size);
        }
      });
    }
  }
  return written;
}

const idIn = (kind: Kind) => (item: Item) => item[kinds[kind].key]?.S ?? '';

async function* pagesOf(deployment: Deployment, TableName: string): AsyncGenerator<readonly Item[]> {
  const database = await dynamoDBClient(deployment);
  for await (const { Items = [] } of database.paginateScan({ TableName, ConsistentRead: true })) {
    yield Items;
  }
}

function batchesOf(items: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / maxBatchItems);
  return Array.from({ length: count }, (_, index) =>
    items.slice(index * maxBatchItems, (index + 1) * maxBatchItems),
  );
}

/** Describes the access of a client in the copy: its status and its secrets. */
function describeClient({ status, secrets }: Item): string {
  const described = (secrets?.L ?? []).map(
    ({ M }) => `secret ${M?.secret_id?.S} created at ${M?.created_at?.S}`,
  );
  return [status?.S, ...described].join(', ');
}

/** Returns the kind of the items in a restored table, from its key. */
async function kindOfCopy(deployment: Deployment, fromTable: string): Promise<Kind> {
  const database = await dynamoDBClient(deployment);
  const { Table: copy } = await database.describeTable({ TableName: fromTable });
  const keys = copy?.KeySchema?.map(({ AttributeName }) => AttributeName).join();
  const found = (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].key === keys);
  if (found === undefined || deployment.outputs[kinds[found].table] === fromTable) {
    throw new OperationError(
      `The table ${quoted(fromTable)} is not a copy of a table of this service. Nothing was changed.`,
    );
  }
  return found;
}
