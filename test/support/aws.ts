import { join } from 'node:path';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { BusEvent } from 'cloud-assembly-emulator';
import { faultsFile } from 'cloud-assembly-emulator/faults';
import { prepareRuns, resource } from 'cloud-assembly-emulator/test/aws-services';
import { storedVersions } from 'cloud-assembly-emulator/test/stored-versions';
import type { Item } from '../../storage/attributes.ts';
import { clientsTable } from '../../storage/client.ts';
import { filesTable } from '../../storage/file.ts';
import { organisationsTable, putNewOrganisation } from '../../storage/organisation.ts';
import { uploadsTable } from '../../storage/upload.ts';
import { shardOf } from '../../storage/upload-due.ts';
import {
  dynamoDBClient,
  s3Client,
  secretsManagerClient,
  sqsClient,
} from '../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import { messageOf } from '../../tools/operator/errors.ts';
import { definitionOf, startDynamodb } from './dynamodb.ts';

export const tables = {
  'test-organisations': organisationsTable,
  'test-clients': clientsTable,
  'test-files': filesTable,
  'test-uploads': uploadsTable,
};
const bucket = resource('bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } });
const queue = resource('dead-letters', 'AWS::SQS::Queue', {});
const signingKey = resource('signing-key', 'AWS::SecretsManager::Secret', {});
const keySet = resource('key-set', 'AWS::SecretsManager::Secret', {});
const bus = resource('bus', 'AWS::Events::EventBus', { Name: 'bus' });
const resources = [
  ...Object.entries(tables).map(([name, keys]) =>
    resource(name.replace('test-', ''), 'AWS::DynamoDB::Table', {
      ...definitionOf(keys),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  ),
  ...[bucket, queue, signingKey, keySet, bus],
];

export const outputs = {
  BaseUrl: 'http://127.0.0.1:3000',
  OrganisationsTableName: 'test-organisations',
  ClientsTableName: 'test-clients',
  FilesTableName: 'test-files',
  UploadsTableName: 'test-uploads',
  BucketName: bucket.ref,
  SigningKeySecretArn: signingKey.ref,
  SigningKeyKmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/11111111-2222-4333-8444-555555555555',
  KeySetSecretArn: keySet.ref,
  RecordUploadFunctionName: 'record-upload',
  ReconcileUploadsFunctionName: 'reconcile-uploads',
  RotateSigningKeyFunctionName: 'signing-keys',
  DeadLetterQueueUrl: queue.ref,
  DashboardName: 'dashboard',
  SupersededRetentionDays: '30',
  EventBusName: bus.ref,
  ApiEndpoint: 'http://127.0.0.1:3000',
  Version: '0.1.0',
  UploadHost: 'uploads.s3.eu-central-1.amazonaws.com',
  TokenLifetimeSeconds: '1800',
  TokenRateLimit: '310',
  SyncRateLimit: '210',
};

type TableName = 'organisations' | 'clients' | 'files' | 'uploads';
export type Items = Readonly<Partial<Record<TableName, readonly Item[]>>>;

/** AWS with the resources of the admin command. */
export type Aws = Awaited<ReturnType<typeof startAws>>;

/**
 * Starts the emulator until the end of the calling test, or of the file.
 *
 * @param items contents of the tables
 */
export async function startAws(items: Items = {}) {
  const { stateDirectory, start } = await prepareRuns(resources);
  if (Object.keys(items).length > 0) {
    await writeBefore(join(stateDirectory, 'dynamodb'), items);
  }
  /** Implementations of functions, by name. A thrown error becomes the function's error. */
  const functions = new Map<string, (payload: unknown) => unknown>();
  /** Number of calls so far, by operation: `Query`, `Scan`. */
  const calls = new Map<string, number>();
  /** Capacity units of DynamoDB that the calls consumed so far. */
  const units = { taken: 0 };
  /** Sent events. */
  const events: BusEvent[] = [];
  /** Denied calls, see `deny`. */
  let denied = { action: /^$/, from: 0, to: 0 };
  let matching = 0;
  const runFunction = async (name: string, payload: unknown) =>
    Object(payload).Step === undefined
      ? functions.get(name)?.(payload)
      : runRotationStep(deployment, Object(payload));
  const aws = await start({
    faultsFile: faultsFile(stateDirectory),
    authorize: ({ action }) => {
      if (!denied.action.test(action)) {
        return { allowed: true };
      }
      const allowed = matching < denied.from || matching >= denied.to;
      matching += 1;
      return allowed ? { allowed } : { allowed, reason: 'explicit-deny', by: 'test' };
    },
    invoke: (name, payload) =>
      runFunction(name, payload).then(
        (response) => ({ ok: true, payload: response }),
        (error) => ({ ok: false, error: { errorType: 'Error', errorMessage: messageOf(error) } }),
      ),
    onEvent: async ({ event }) => void events.push(event),
    onCall: ({ operation, units: consumed = 0 }) => {
      calls.set(operation, (calls.get(operation) ?? 0) + 1);
      units.taken += consumed;
    },
  });
  const awsConfig = { region: 'us-east-1', endpoint: aws.endpoint, credentials: aws.operatorCredentials };
  const deployment: Deployment = { stackName: 'file-sync-test', outputs, awsConfig, now: Date.now };
  const database = await dynamoDBClient(deployment);
  const secrets = await secretsManagerClient(deployment);
  const [s3, sqs] = [await s3Client(deployment), await sqsClient(deployment)];
  // Only the test fills the queue, so an empty queue stays empty, and no call waits for a message.
  sqs.middlewareStack.add(
    (next) => (command) => {
      Object.assign(command.input, { WaitTimeSeconds: 0 });
      return next(command);
    },
    { step: 'initialize' },
  );
  return {
    ...aws,
    deployment,
    events,
    stateDirectory,
    functions,
    calls,
    units,
    /** Returns the deployment for a session of this name. Faults apply to its calls. */
    as: (sessionName: string): Deployment => ({
      ...deployment,
      awsConfig: {
        ...awsConfig,
        credentials: aws.credentialsForRole('arn:aws:iam::000000000000:role/operator', sessionName),
      },
    }),
    /** Denies the calls of an action from index `from` to before index `to`, and allows all others. */
    deny: (action: RegExp, from = 0, to = Number.POSITIVE_INFINITY) => {
      [denied, matching] = [{ action, from, to }, 0];
    },
    putItem: async (table: TableName, item: Item) =>
      void (await database.putItem({ TableName: `test-${table}`, Item: inList(item) })),
    /** @returns version id of the new object */
    putContent: async (
      uploadId: string,
      Body: string,
      more: { ContentType?: string; Tagging?: string } = {},
    ) => {
      const object = {
        Bucket: bucket.ref,
        Key: `uploads/${uploadId}`,
        ContentLength: Buffer.byteLength(Body),
      };
      return (await s3.putObject({ ...object, Body, ...more })).VersionId ?? '';
    },
    /** Returns the object in S3 under the key of an upload. */
    contentOf: async (uploadId: string) =>
      (await storedVersions(stateDirectory, bucket.ref, `uploads/${uploadId}`))[0],
    publishKeys: async (SecretString: string) =>
      void (await secrets.putSecretValue({ SecretId: keySet.ref, SecretString })),
    /** Sets the rotation schedule of the signing keys. */
    scheduleRotation: async () =>
      void (await secrets.rotateSecret({
        SecretId: signingKey.ref,
        RotationLambdaARN: 'arn:aws:lambda:us-east-1:000000000000:function:signing-keys',
        RotationRules: { AutomaticallyAfterDays: 90 },
        RotateImmediately: false,
      })),
    /**
     * Sends a message to the dead-letter queue.
     *
     * @returns id of the message
     */
    sendLetter: async (MessageBody: string) =>
      (await sqs.sendMessage({ QueueUrl: queue.ref, MessageBody })).MessageId ?? '',
    /** Returns the number of messages, in flight too. */
    letters: async () => {
      const { Attributes } = await sqs.getQueueAttributes({
        QueueUrl: queue.ref,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      });
      return Object.values(Attributes ?? {}).reduce((sum, count) => sum + Number(count), 0);
    },
  };
}

/** Runs a step of a rotation. The last step moves the labels to the new version. */
async function runRotationStep(deployment: Deployment, step: RotationStep): Promise<void> {
  const { Step, SecretId, ClientRequestToken: id } = step;
  if (Step !== 'finishSecret') {
    return;
  }
  const secrets = await secretsManagerClient(deployment);
  const { VersionIdsToStages = {} } = await secrets.describeSecret({ SecretId });
  const current = Object.keys(VersionIdsToStages).find((it) =>
    VersionIdsToStages[it]?.includes('AWSCURRENT'),
  );
  const move = (VersionStage: string, RemoveFromVersionId?: string, MoveToVersionId?: string) =>
    secrets.updateSecretVersionStage({ SecretId, VersionStage, RemoveFromVersionId, MoveToVersionId });
  await move('AWSCURRENT', current, id);
  await move('AWSPENDING', id);
}

interface RotationStep {
  readonly Step: string;
  readonly SecretId: string;
  readonly ClientRequestToken: string;
}

/** Returns an item with its key in the index of the newest items, as the service and operators write it. */
function inList(item: Item): Item {
  return { list_shard: { S: item.upload_id?.S ? shardOf(item.upload_id.S) : '0' }, ...item };
}

/** Returns the records of the organisations of clients and files. */
function organisationsOf({ organisations = [], clients = [], files = [] }: Items): readonly Item[] {
  const ids = new Set([...clients, ...files].flatMap(({ organisation_id }) => organisation_id?.S ?? []));
  const created = [...ids].map((id) => putNewOrganisation(id, '2026-01-01T00:00:00.000Z').Item ?? {});
  return [...created, ...organisations];
}

/**
 * Writes many items faster than emulator calls, which do not support batches and flush each write to disk.
 */
async function writeBefore(path: string, items: Items): Promise<void> {
  const { client, stop } = await startDynamodb(tables, path);
  await putItems(client, { ...items, organisations: organisationsOf(items) });
  await stop();
}

/** Writes items in batches. */
export async function putItems(client: DynamoDB, items: Items): Promise<void> {
  for (const [name, all = []] of Object.entries(items)) {
    const requests = all.map((item) => ({ PutRequest: { Item: inList(item) } }));
    // DynamoDB accepts at most 25 items in one batch.
    while (requests.length > 0) {
      const RequestItems = { [`test-${name}`]: requests.splice(0, 25) };
      await client.batchWriteItem({ RequestItems });
    }
  }
}
