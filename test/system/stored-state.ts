import { createHash } from 'node:crypto';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDBClient, s3Client } from '../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';

interface Content {
  readonly sha256: string;
  readonly size: number;
}

/** Data that a client knows about one of its upload URLs. */
export interface KnownUpload {
  readonly uploadId: string;
  readonly fileId: string;
  /** Stored bytes: the PUT got 200, or 412 to a retry. Undefined if it was interrupted and not retried. */
  readonly content: Content | undefined;
}

export function describeBody(bytes: Uint8Array): Content {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
}

/** Returns the state that follows from the data that the clients know, after the delivery of all events. */
export function stateOf(known: readonly KnownUpload[]) {
  const stored = known.flatMap(({ content, ...upload }) => (content ? [{ ...upload, content }] : []));
  const newestOf = (id: string) =>
    stored.filter(({ fileId }) => fileId === id).map(({ uploadId }) => uploadId);
  const fileIds = [...new Set(known.map(({ fileId }) => fileId))];
  return {
    /** Completed uploads. */
    uploads: Object.fromEntries(stored.map(({ uploadId, content }) => [uploadId, content])),
    /** Upload that is the content of each file; null if there is none. */
    contents: Object.fromEntries(fileIds.map((id) => [id, newestOf(id).toSorted().at(-1) ?? null])),
  };
}

type Item = Readonly<Record<string, AttributeValue>>;

/** Reads the state of the files of these uploads. The sizes are those that the service recorded. */
export async function readState(deployment: Deployment, known: readonly KnownUpload[]) {
  const fileIds = new Set(known.map(({ fileId }) => fileId));
  const isKnown = (item: Item) => fileIds.has(item.file_id?.S ?? '');
  const files = (await scan(deployment, 'FilesTableName')).filter(isKnown);
  const uploads: Record<string, Content> = {};
  for (const item of (await scan(deployment, 'UploadsTableName')).filter(isKnown)) {
    if (item.state?.S === 'completed') {
      const { sha256 } = describeBody(await bytesOf(deployment, item));
      uploads[item.upload_id?.S ?? ''] = { sha256, size: Number(item.size?.N) };
    }
  }
  const contentOf = ({ file_id, content }: Item) => [file_id?.S, content?.M?.upload_id?.S ?? null];
  return { uploads, contents: Object.fromEntries(files.map(contentOf)) };
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

/** Returns the uploads that are still due after the last check of every upload. The list should be empty. */
export async function leftToDo(deployment: Deployment): Promise<readonly unknown[]> {
  return (await scan(deployment, 'UploadsTableName')).filter((item) => item.due_at !== undefined);
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
