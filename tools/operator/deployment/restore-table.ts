import type { Item, ItemPut } from '../../../storage/attributes.ts';
import { contentOfUpload, contentToAttribute } from '../../../storage/file.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { listUploads } from '../uploads/upload.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { type Kind, kinds, putItem, readItem } from './items.ts';

/** How an item of the copy compares with the item of the service. */
type Comparison =
  /** The service has no such item, or cannot read its own. */
  | 'missing'
  | 'damaged'
  /** The service has an item that it can read. */
  | 'kept'
  /** The service could not read the item of the copy, so the item is not written. */
  | 'unreadable';

interface Restored {
  readonly id: string;
  readonly kind: Comparison;
}

/**
 * Writes items into the table of the service: items that are missing, and items that the service cannot read. All other
 * items stay, so no newer item is overwritten. A repeat is safe after a crash at any point.
 *
 * @param fromTable the copy that DynamoDB made of a table as it was
 * @param dryRun whether to compare only, and write nothing
 * @returns each item of the copy, after the comparison
 * @throws {OperationError} when the table is no copy of a table of the service
 */
export async function* restoreTable(
  deployment: Deployment,
  fromTable: string,
  dryRun: boolean,
): AsyncGenerator<Restored> {
  const kind = await recognise(deployment, fromTable);
  const client = await dynamoDBClient(deployment);
  for await (const { Items = [] } of client.paginateScan({ TableName: fromTable, ConsistentRead: true })) {
    for (const item of Items) {
      const id = item[kinds[kind].key]?.S ?? '';
      yield { id, kind: await restoreItem(deployment, kind, item, id, dryRun) };
    }
  }
}

async function restoreItem(
  deployment: Deployment,
  kind: Kind,
  restored: Item,
  id: string,
  dryRun: boolean,
): Promise<Comparison> {
  const present = await readItem(deployment, kind, id);
  if (present !== undefined && isReadable(kind, present)) {
    return 'kept';
  }
  if (!isReadable(kind, restored)) {
    return 'unreadable';
  }
  const wanted = kind === 'file' ? await withNewestContent(deployment, restored) : restored;
  const put = putInstead(kinds[kind].key, wanted, present);
  if (!dryRun && !(await putItem(deployment, kind, put))) {
    // Somebody else has written the item meanwhile, and that item is newer.
    return 'kept';
  }
  return present === undefined ? 'missing' : 'damaged';
}

function isReadable(kind: Kind, item: Item): boolean {
  try {
    kinds[kind].parse(item);
    return true;
  } catch (error) {
    if (error instanceof StoredDataError) {
      return false;
    }
    throw error;
  }
}

/** Puts an item in place of the present item. Refused when the present item has changed, or an absent item now exists. */
function putInstead(key: string, wanted: Item, present: Item | undefined): ItemPut {
  if (present === undefined) {
    const ExpressionAttributeNames = { '#key': key };
    return { Item: wanted, ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames };
  }
  // The service cannot read the item, so only people change the item. A change shows in its texts.
  const texts = Object.entries(present).filter(([, { S }]) => S !== undefined);
  return {
    Item: wanted,
    ConditionExpression: texts.map((_, index) => `#n${index} = :v${index}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(texts.map(([name], index) => [`#n${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(texts.map(([, value], index) => [`:v${index}`, value])),
  };
}

/**
 * The restored file, but with the newest content that the service knows. A later upload may have replaced the content of
 * the copy, and the lifecycle rule removes replaced content.
 */
async function withNewestContent(deployment: Deployment, restored: Item): Promise<Item> {
  const uploadId = restored.content?.M?.upload_id?.S ?? '';
  const fileId = restored.file_id?.S ?? '';
  for await (const page of listUploads(deployment, { fileId, state: 'completed' })) {
    for (const upload of page) {
      if (upload.upload_id <= uploadId) {
        return restored;
      }
      if (upload.state === 'completed' && upload.superseded_at === undefined) {
        const listed = restored.superseded?.L ?? [];
        // The content that is replaced may not be marked as superseded.
        const superseded = uploadId === '' ? {} : { superseded: { L: [...listed, { S: uploadId }] } };
        return { ...restored, content: contentToAttribute(contentOfUpload(upload)), ...superseded };
      }
    }
  }
  return restored;
}

/** The kind of the items in a restored table, which its key tells. */
async function recognise(deployment: Deployment, fromTable: string): Promise<Kind> {
  const database = await dynamoDBClient(deployment);
  const { Table: copy } = await database.describeTable({ TableName: fromTable }).catch((error: unknown) => {
    throw error instanceof Error && error.name === 'ResourceNotFoundException'
      ? new OperationError('failed', `There is no table ${quoted(fromTable)} in this account and region.`)
      : error;
  });
  const keys = copy?.KeySchema?.map(({ AttributeName }) => AttributeName).join();
  const found = (['client', 'file', 'upload'] as const).find((kind) => kinds[kind].key === keys);
  if (found === undefined || deployment.outputs[kinds[found].table] === fromTable) {
    throw new OperationError(
      'failed',
      `The table ${quoted(fromTable)} is no copy of a table of this service. Nothing was changed.`,
    );
  }
  return found;
}
