import { type Item, textAttributes } from '../../../storage/attributes.ts';
import { maxBatchItems } from '../../../storage/batch-get.ts';
import { contentOfUpload, contentToAttribute } from '../../../storage/file.ts';
import { restoredUpload } from '../../../storage/restored-upload.ts';
import { updateToCurrent } from '../../../storage/upload.ts';
import { OperationError } from '../errors.ts';
import { readAll } from '../lists/read.ts';
import { quoted } from '../text.ts';
import { uploadSource } from '../uploads/upload.ts';
import { dynamoDBClient } from './aws-clients.ts';
import { timeOf } from './aws-clock.ts';
import type { Deployment } from './deployment.ts';
import { inParallel } from './in-parallel.ts';
import { type Kind, kinds, putItem, readItems, updateItem } from './items.ts';

/**
 * Compares a copy with the table of the service.
 *
 * @param fromTable name of the copy, a table that DynamoDB restored to an earlier state
 * @param progress callback, called with the number of compared items
 * @returns the ids of the missing items, each with the access of a client, and the number of items that are kept
 * @throws {OperationError} when the table is not a copy of a table of the service
 */
export async function compareTable(
  deployment: Deployment,
  fromTable: string,
  progress: (compared: number) => void,
) {
  const kind = await kindOfCopy(deployment, fromTable);
  const idOf = idIn(kind);
  const missing = new Map<string, string>();
  let compared = 0;
  await inParallel(batchesOf(deployment, fromTable), async (batch) => {
    const existing = await readById(deployment, kind, batch.map(idOf));
    for (const item of batch.filter((copied) => !existing.has(idOf(copied)))) {
      missing.set(idOf(item), accessOf(item));
    }
    compared += batch.length;
    progress(compared);
  });
  return { kind, missing, kept: compared - missing.size };
}

/**
 * Writes missing items, each with all its marks, so a repeat is safe after a crash at any point. An item that was
 * created since the comparison is newer, and stays unchanged.
 *
 * @param keepsAccess true if an active client stays active
 * @param progress callback, called with the number of written items
 * @returns the ids of the written items
 */
export async function writeMissing(
  deployment: Deployment,
  fromTable: string,
  { kind, missing }: Awaited<ReturnType<typeof compareTable>>,
  keepsAccess: boolean,
  progress: (written: number) => void,
): Promise<readonly string[]> {
  const idOf = idIn(kind);
  const condition = {
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': kinds[kind].key },
  };
  const written: string[] = [];
  await inParallel(batchesOf(deployment, fromTable), async (batch) => {
    const items = batch.filter((item) => missing.has(idOf(item)));
    const fileIds = kind === 'upload' ? items.map(idIn('file')) : [];
    const files = await readById(deployment, 'file', fileIds);
    for (const item of items) {
      const isUnchanged = kind === 'client' && keepsAccess;
      const Item = isUnchanged ? item : await placed(deployment, kind, item, files.get(idIn('file')(item)));
      if ((await putItem(deployment, kind, { Item, ...condition }, false)) !== 'rejected') {
        written.push(idOf(item));
        progress(written.length);
      }
    }
  });
  return written;
}

const idIn = (kind: Kind) => (item: Item) => item[kinds[kind].key]?.S ?? '';

async function readById(deployment: Deployment, kind: Kind, ids: readonly string[]) {
  const items = await readItems(deployment, kind, ids);
  return new Map(items.map((item) => [idIn(kind)(item), item]));
}

async function* batchesOf(deployment: Deployment, TableName: string) {
  const database = await dynamoDBClient(deployment);
  const scan = { TableName, ConsistentRead: true, Limit: maxBatchItems };
  for await (const { Items = [] } of database.paginateScan(scan)) {
    yield [Items];
  }
}

/** Describes a client: its status, its addresses, and the secrets that would work again. Empty for other items. */
function accessOf({ status, secrets, allow_from }: Item): string {
  const ranges = allow_from?.L?.map(({ S }) => S).join(' ') ?? 'every address';
  const described = secrets?.L?.map(({ M }) => `, secret ${M?.secret_id?.S} of ${M?.created_at?.S}`);
  return described ? `  ${status?.S} from ${ranges}${described.join('')}` : '';
}

/** Returns a missing item with the state that it has now. */
async function placed(deployment: Deployment, kind: Kind, item: Item, file: Item | undefined): Promise<Item> {
  const now = timeOf(deployment);
  if (kind === 'upload') {
    return restoredUpload(item, file, now);
  }
  if (kind === 'file' && !item.deleted_at) {
    return withNewestContent(deployment, item);
  }
  // Nothing is left that shows if a client was revoked, or a secret was removed, since the copy.
  const revocation = textAttributes({ status: 'revoked', revoked_at: now });
  return item.status?.S === 'active' ? { ...item, ...revocation } : item;
}

/**
 * Returns the restored file with the newest content that the service knows. A later upload may have replaced
 * the content of the copy, and the lifecycle rule removes replaced content.
 */
async function withNewestContent(deployment: Deployment, restored: Item): Promise<Item> {
  const uploadId = restored.content?.M?.upload_id?.S ?? '';
  const uploads = uploadSource(deployment, { file: idIn('file')(restored), status: 'completed' });
  for await (const page of readAll(deployment, uploads)) {
    for (const upload of page) {
      if (upload.upload_id < uploadId) {
        return restored;
      }
      const isContent =
        upload.superseded_at === undefined ||
        (await updateItem(deployment, 'upload', updateToCurrent(upload.upload_id))) !== 'rejected';
      if (upload.state === 'completed' && isContent) {
        return { ...restored, content: contentToAttribute(contentOfUpload(upload)) };
      }
    }
  }
  return restored;
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
