import { createHash } from 'node:crypto';
import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';

/** What a client knows of one upload URL that it was given. */
export interface KnownUpload {
  readonly uploadId: string;
  readonly fileId: string;
  readonly sha256: string;
  readonly size: number;
  /** `stored`: answered 200, or 412 when it was tried again after an interruption. `abandoned`: cut short for good. */
  readonly outcome: 'stored' | 'abandoned';
}

export interface SoakCheck {
  readonly uploads: number;
  readonly completed: number;
  readonly filesWithContent: number;
  /** Every way in which the stored state differs from what the clients know. Empty when all is well. */
  readonly violations: readonly string[];
}

type Item = Readonly<Record<string, AttributeValue>>;

/** Compares the uploads and contents of the clients' files with what the clients know, when all events have been delivered. */
export async function checkStoredState(
  deployment: Deployment,
  known: readonly KnownUpload[],
): Promise<SoakCheck> {
  const { UploadsTableName, FilesTableName } = deployment.outputs;
  const database = new DynamoDBClient(deployment.awsConfig);
  const fileIds = new Set(known.map(({ fileId }) => fileId));
  const ofClients = async (table: string) =>
    (await scan(database, table)).filter((item) => fileIds.has(item.file_id?.S ?? ''));
  const items = await ofClients(UploadsTableName);
  const uploads = new Map(items.map((item) => [item.upload_id?.S ?? '', item]));
  const files = await ofClients(FilesTableName);
  const violations = [
    ...compareStates(uploads, known),
    ...(await compareBytes(deployment, uploads, known)),
    ...compareContents(files, known),
  ];
  const isCompleted = (item: Item) => item.state?.S === 'completed';
  return {
    uploads: uploads.size,
    completed: [...uploads.values()].filter(isCompleted).length,
    filesWithContent: files.filter((file) => file.content !== undefined).length,
    violations,
  };
}

function compareStates(uploads: ReadonlyMap<string, Item>, known: readonly KnownUpload[]): string[] {
  const stored = new Set(known.filter(({ outcome }) => outcome === 'stored').map(({ uploadId }) => uploadId));
  const wrong = [...uploads].filter(([id, item]) => (item.state?.S === 'completed') !== stored.has(id));
  const missing = [...stored].filter((id) => !uploads.has(id));
  return [
    ...wrong.map(
      ([id, item]) => `${id} is ${item.state?.S}, but its client ${stored.has(id) ? 'stored it' : 'did not'}`,
    ),
    ...missing.map((id) => `${id} was stored, but there is no item`),
  ];
}

async function compareBytes(
  deployment: Deployment,
  uploads: ReadonlyMap<string, Item>,
  known: readonly KnownUpload[],
): Promise<string[]> {
  const s3 = new S3Client({ ...deployment.awsConfig, forcePathStyle: true });
  const violations: string[] = [];
  for (const upload of known.filter(({ outcome }) => outcome === 'stored')) {
    const item = uploads.get(upload.uploadId);
    if (item?.state?.S !== 'completed') {
      continue;
    }
    const sha256 = await storedSha256(s3, deployment.outputs.BucketName, item);
    if (sha256 !== upload.sha256) {
      violations.push(`${upload.uploadId} has other bytes than were sent`);
    }
    if (Number(item.size?.N) !== upload.size) {
      violations.push(`${upload.uploadId} is recorded with another size`);
    }
  }
  return violations;
}

async function storedSha256(s3: S3Client, bucket: string, item: Item): Promise<string> {
  const object = await s3.send(
    new GetObjectCommand({ Bucket: bucket, Key: item.key?.S, VersionId: item.version_id?.S }),
  );
  const bytes = await object.Body?.transformToByteArray();
  return createHash('sha256')
    .update(bytes ?? new Uint8Array())
    .digest('hex');
}

function compareContents(files: readonly Item[], known: readonly KnownUpload[]): string[] {
  return files.flatMap((file) => {
    const fileId = file.file_id?.S ?? '';
    const stored = known.filter((upload) => upload.fileId === fileId && upload.outcome === 'stored');
    const expected = stored
      .map(({ uploadId }) => uploadId)
      .sort()
      .at(-1);
    const actual = file.content?.M?.upload_id?.S;
    return actual === expected ? [] : [`${fileId} has the content of ${actual}, not of ${expected}`];
  });
}

/** What is left to do, after the last look at every upload: nothing when all is well. */
export async function leftToDo(deployment: Deployment): Promise<readonly string[]> {
  const { UploadsTableName, FilesTableName } = deployment.outputs;
  const database = new DynamoDBClient(deployment.awsConfig);
  const uploads = await scan(database, UploadsTableName);
  const files = await scan(database, FilesTableName);
  return [
    ...uploads.flatMap((item) =>
      item.due_at === undefined ? [] : [`${item.upload_id?.S} is due at ${item.due_at.S}`],
    ),
    ...files.flatMap((file) =>
      (file.superseded?.L ?? []).length === 0 ? [] : [`${file.file_id?.S} has replaced uploads left`],
    ),
  ];
}

async function scan(client: DynamoDBClient, table: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    items.push(...(page.Items ?? []));
  }
  return items;
}
