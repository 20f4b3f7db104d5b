import { createHash } from 'node:crypto';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDBClient, s3Client } from '../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';

/** Data that a client knows about one of its upload URLs. */
export interface KnownUpload {
  readonly uploadId: string;
  readonly fileId: string;
  readonly body: { readonly sha256: string; readonly size: number };
  /**
   * `stored`: responded with 200, or with 412 to a retry after an interruption. `abandoned`: interrupted and
   * not retried.
   */
  readonly outcome: 'stored' | 'abandoned';
}

export function describeBody(bytes: Uint8Array): KnownUpload['body'] {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
}

type Item = Readonly<Record<string, AttributeValue>>;

/**
 * Compares the uploads and contents of the clients' files with the data that the clients know, after the
 * delivery of all events.
 *
 * @returns differences of the stored state; empty if there are none
 */
export async function checkStoredState(
  deployment: Deployment,
  known: readonly KnownUpload[],
): Promise<readonly string[]> {
  const fileIds = new Set(known.map(({ fileId }) => fileId));
  const isKnown = (item: Item) => fileIds.has(item.file_id?.S ?? '');
  const uploads = (await scan(deployment, 'UploadsTableName')).filter(isKnown);
  const files = (await scan(deployment, 'FilesTableName')).filter(isKnown);
  const stored = known.filter(({ outcome }) => outcome === 'stored');
  const kept = new Set(files.map((file) => file.file_id?.S));
  return [
    ...[...fileIds].filter((fileId) => !kept.has(fileId)).map((fileId) => `file ${fileId} is gone`),
    ...(await compareUploads(deployment, uploads, stored)),
    ...files.flatMap((file) => compareContent(file, stored)),
  ];
}

const isCompleted = (item: Item) => item.state?.S === 'completed';

async function compareUploads(
  deployment: Deployment,
  items: readonly Item[],
  stored: readonly KnownUpload[],
): Promise<string[]> {
  const left = new Map(stored.map((upload) => [upload.uploadId, upload]));
  const violations: string[] = [];
  for (const item of items) {
    const id = item.upload_id?.S ?? '';
    const upload = left.get(id);
    left.delete(id);
    if (isCompleted(item) !== (upload !== undefined)) {
      violations.push(`${id} is ${item.state?.S}, but its client ${upload ? 'stored it' : 'did not'}`);
    } else if (upload !== undefined) {
      const { sha256, size } = describeBody(await bytesOf(deployment, item));
      const isRight = sha256 === upload.body.sha256 && size === upload.body.size;
      if (!isRight || item.size?.N !== String(size)) {
        violations.push(`${id} has other bytes or another size than were sent`);
      }
    }
  }
  return [...violations, ...[...left.keys()].map((id) => `${id} was stored, but there is no item`)];
}

async function bytesOf(deployment: Deployment, item: Item): Promise<Uint8Array> {
  const s3 = await s3Client(deployment);
  const object = await s3.getObject({
    Bucket: deployment.outputs.BucketName,
    Key: item.key?.S,
    VersionId: item.version_id?.S,
  });
  return (await object.Body?.transformToByteArray()) ?? new Uint8Array();
}

function compareContent(file: Item, stored: readonly KnownUpload[]): string[] {
  const fileId = file.file_id?.S ?? '';
  const ids = stored.filter((upload) => upload.fileId === fileId).map(({ uploadId }) => uploadId);
  const expected = ids.toSorted().at(-1);
  const actual = file.content?.M?.upload_id?.S;
  return actual === expected ? [] : [`${fileId} has the content of ${actual}, not of ${expected}`];
}

/** Returns the uploads that are still due after the last check of every upload. The list should be empty. */
export async function leftToDo(deployment: Deployment): Promise<readonly string[]> {
  const due = (await scan(deployment, 'UploadsTableName')).filter((item) => item.due_at !== undefined);
  return due.map((item) => `${item.upload_id?.S} is due at ${item.due_at?.S}`);
}

async function scan(
  deployment: Deployment,
  table: 'UploadsTableName' | 'FilesTableName',
): Promise<readonly Item[]> {
  const client = await dynamoDBClient(deployment);
  const items: Item[] = [];
  const input = { TableName: deployment.outputs[table], ConsistentRead: true };
  for await (const page of paginateScan({ client }, input)) {
    items.push(...(page.Items ?? []));
  }
  return items;
}
