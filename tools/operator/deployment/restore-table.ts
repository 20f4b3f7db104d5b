import type { Item } from '../../../storage/attributes.ts';
import { contentOfUpload, contentToAttribute } from '../../../storage/file.ts';
import { OperationError } from '../errors.ts';
import { readAll } from '../lists/read.ts';
import { quoted } from '../text.ts';
import { uploadSource } from '../uploads/upload.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { type Kind, kinds, putItem, readItem } from './items.ts';

/**
 * Compares a copy with the table of the service, and writes the missing items. Existing items stay unchanged,
 * so no newer item is overwritten. A repeat is safe after a crash at any point.
 *
 * @param fromTable name of the copy, a table that DynamoDB restored to an earlier state
 * @param writes true to write the missing items. False to compare only
 * @param progress callback, called with the number of compared items
 * @returns the ids of the missing items, and the number of items that the service kept
 * @throws {OperationError} when the table is not a copy of a table of the service
 */
export async function restoreTable(
  deployment: Deployment,
  fromTable: string,
  writes: boolean,
  progress: (compared: number) => void,
) {
  const kind = await kindOfCopy(deployment, fromTable);
  const client = await dynamoDBClient(deployment);
  const missing = [];
  let kept = 0;
  for await (const { Items = [] } of client.paginateScan({ TableName: fromTable, ConsistentRead: true })) {
    for (const item of Items) {
      const id = item[kinds[kind].key]?.S ?? '';
      const isKept = (await readItem(deployment, kind, id)) !== undefined;
      // If the write is rejected, another caller has created the item since the read. The existing item is
      // newer.
      if (isKept || (writes && !(await restoreItem(deployment, kind, item)))) {
        kept += 1;
      } else {
        missing.push(id);
      }
      progress(missing.length + kept);
    }
  }
  return { missing, kept };
}

async function restoreItem(deployment: Deployment, kind: Kind, item: Item): Promise<boolean> {
  const put = {
    Item: kind === 'file' ? await withNewestContent(deployment, item) : item,
    ConditionExpression: 'attribute_not_exists(#key)',
    ExpressionAttributeNames: { '#key': kinds[kind].key },
  };
  return (await putItem(deployment, kind, put, false)) !== 'rejected';
}

/**
 * Returns the restored file with the newest content that the service knows. A later upload may have replaced
 * the content of the copy, and the lifecycle rule removes replaced content.
 */
async function withNewestContent(deployment: Deployment, restored: Item): Promise<Item> {
  const uploadId = restored.content?.M?.upload_id?.S ?? '';
  const fileId = restored.file_id?.S ?? '';
  const uploads = uploadSource(deployment, { file: fileId, status: 'completed' });
  for await (const page of readAll(deployment, uploads)) {
    for (const upload of page) {
      if (upload.upload_id <= uploadId) {
        return restored;
      }
      if (upload.state === 'completed' && upload.superseded_at === undefined) {
        const content = contentToAttribute(contentOfUpload(upload));
        // The replaced content may not be marked as superseded.
        const listed = [...(restored.superseded?.L ?? []), { S: uploadId }];
        return { ...restored, content, ...(uploadId && { superseded: { L: listed } }) };
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
