import type { Item, ItemPut } from '../../../storage/attributes.ts';
import { contentOfUpload, contentToAttribute } from '../../../storage/file.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { listUploads } from '../uploads/upload.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { type Kind, kinds, putItem, readItem } from './items.ts';

/** How an item of the copy compares with the service's. */
type Comparison =
  /** The service lacks it, or cannot read its own. */
  | 'missing'
  | 'damaged'
  /** The service has one that it can read. */
  | 'kept'
  /** The service could not read the item of the copy: it is left out. */
  | 'unreadable';

interface Restored {
  readonly id: string;
  readonly kind: Comparison;
}

/**
 * Writes back what is missing in the service's table, and what the service cannot read. Everything else stays as it is, so
 * that nothing newer is overwritten, and the restore can be repeated after a crash at any point.
 *
 * @param fromTable the copy that DynamoDB made of a table as it was
 * @param dryRun compares, and writes nothing
 * @returns each item of the copy, when it was compared
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
    // Somebody else wrote it meanwhile, and that is newer.
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

/** Puts an item in place of another. Refused when the other has changed, or now exists. */
function putInstead(key: string, wanted: Item, present: Item | undefined): ItemPut {
  if (present === undefined) {
    const ExpressionAttributeNames = { '#key': key };
    return { Item: wanted, ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames };
  }
  // The service cannot read the item, so people alone change it, and that shows in its texts.
  const texts = Object.entries(present).filter(([, { S }]) => S !== undefined);
  return {
    Item: wanted,
    ConditionExpression: texts.map((_, index) => `#n${index} = :v${index}`).join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(texts.map(([name], index) => [`#n${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(texts.map(([, value], index) => [`:v${index}`, value])),
  };
}

/**
 * The restored file, but with the newest content that the service knows: since the time of the copy, a later upload may
 * have replaced it, and the lifecycle rule removes what was replaced.
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

/** What a restored table holds, by its key. */
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
