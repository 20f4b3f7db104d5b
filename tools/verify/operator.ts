import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { timestamp } from '../../storage/attributes.ts';
import { cancelUpload } from '../operator/cancel-upload.ts';
import {
  dynamoDBClient,
  lambdaClient,
  s3Client,
  secretsManagerClient,
} from '../operator/deployment/aws-clients.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { describeStack } from '../operator/deployment/stack-deployment.ts';
import { CommandError } from '../operator/errors.ts';
import { revokeSigningKey } from '../operator/revoke-signing-key.ts';
import { listSigningKeys, setRotationSchedule } from '../operator/signing-keys.ts';
import { getUpload } from '../operator/uploads.ts';
import { NotChecked } from './outcome.ts';

/** What AWS refused a call with. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** What DescribeSecret says of the secret with the private keys. */
export interface SecretSeen {
  /** Staging labels of each version, by its id. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly rotationEnabled: boolean;
}

/** What the operator's credentials can do to a deployment, through the same clients and operations as the admin command. */
export async function openOperator(deployment: Deployment, stackName: string | undefined) {
  const [storage, secrets] = await Promise.all([s3Client(deployment), secretsManagerClient(deployment)]);
  const { BucketName: Bucket, SigningKeySecretArn: SecretId, KeySetSecretArn } = deployment.outputs;
  return {
    content: async (Key: string) => {
      const { Body } = await storage.send(new GetObjectCommand({ Bucket, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    /** CRC-64/NVME that S3 says of an object, in base64. */
    checksum: async (Key: string) => {
      const head = new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' });
      return (await storage.send(head)).ChecksumCRC64NVME;
    },
    upload: (uploadId: string) => getUpload(deployment, uploadId),
    /** Tries to write to the record of an upload under a condition that is false. */
    writeUnderFalseCondition: (uploadId: string) => writeUnderFalseCondition(deployment, uploadId),
    /** Tries to read the private keys. What comes is thrown away unread. */
    tryToReadPrivateKeys: () => refusalOf(secrets.send(new GetSecretValueCommand({ SecretId }))),
    signingSecret: () => describeSecret(secrets, SecretId),
    startRotation: async (): Promise<{ readonly version: string; readonly refused?: Refusal }> => {
      let version = '';
      const started = secrets.send(new RotateSecretCommand({ SecretId })).then(({ VersionId = '' }) => {
        version = VersionId;
      });
      const refused = await refusalOf(started);
      return { version, ...(refused && { refused }) };
    },
    /**
     * Has the `signing-keys` function look at the rotation schedule. It sets the schedule, without rotating, if that is
     * lost or another one. Nobody else can: setting it needs the key of the secret.
     */
    ensureSchedule: () => refusalOf(setRotationSchedule(deployment)),
    /** Tries to move a label of this run from one version to another without saying where it is. */
    moveLabelBlindly: () => moveLabelBlindly(secrets, KeySetSecretArn),
    /** Gives an event to the function that records uploads, as `upload replay` does. */
    record: (event: unknown) => record(deployment, event),
    /** The ids of the published keys, and which of them signs: empty if none does. */
    publishedKeys: async () => {
      const keys = await listSigningKeys(deployment);
      return { kids: keys.map(({ kid }) => kid), signing: keys.find(({ signs }) => signs)?.kid ?? '' };
    },
    /** Resolves with the time from which the service refuses tokens of the key. */
    revokeKey: async (kid: string) => new Date((await revokeSigningKey(deployment, kid)).rejected_from),
    cancel: (uploadId: string) => cancelUpload(deployment, uploadId),
    /** Undefined for a local run, which has no stack. */
    stackStatus: async () =>
      stackName === undefined
        ? undefined
        : ((await describeStack(stackName, deployment.awsConfig)).StackStatus ?? 'of unknown status'),
  };
}

async function refusalOf(call: Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError || (error instanceof Error && '$metadata' in error))) {
      throw error;
    }
    return { name: error.name, message: error.message };
  }
}

async function writeUnderFalseCondition(
  deployment: Deployment,
  uploadId: string,
): Promise<Refusal | undefined> {
  const database = await dynamoDBClient(deployment);
  return refusalOf(
    database.send(
      new UpdateItemCommand({
        TableName: deployment.outputs.UploadsTableName,
        Key: { upload_id: { S: uploadId } },
        // An attribute that changes nothing of the upload, in case the write succeeds.
        UpdateExpression: 'SET #superseded_at = :at',
        ConditionExpression: 'attribute_not_exists(#upload_id)',
        ExpressionAttributeNames: { '#superseded_at': 'superseded_at', '#upload_id': 'upload_id' },
        ExpressionAttributeValues: { ':at': { S: timestamp(new Date()) } },
      }),
    ),
  );
}

async function describeSecret(secrets: SecretsManagerClient, secretArn: string): Promise<SecretSeen> {
  const { VersionIdsToStages = {}, RotationEnabled = false } = await secrets.send(
    new DescribeSecretCommand({ SecretId: secretArn }),
  );
  return { labels: VersionIdsToStages, rotationEnabled: RotationEnabled };
}

/** A label of its own, so that nothing happens to the service whatever Secrets Manager does with it. */
const ownLabel = 'VERIFY';

async function moveLabelBlindly(
  secrets: SecretsManagerClient,
  secretArn: string,
): Promise<Refusal | undefined> {
  const { labels } = await describeSecret(secrets, secretArn);
  const [first, second] = Object.keys(labels);
  if (first === undefined || second === undefined) {
    throw new NotChecked('The secret with the public keys has one version only: rotate the key once.');
  }
  const move = (ids: { readonly MoveToVersionId?: string; readonly RemoveFromVersionId?: string }) =>
    secrets.send(
      new UpdateSecretVersionStageCommand({ SecretId: secretArn, VersionStage: ownLabel, ...ids }),
    );
  const removeFrom = async (seen: SecretSeen['labels']) => {
    const holder = Object.keys(seen).find((version) => seen[version]?.includes(ownLabel));
    if (holder !== undefined) {
      await move({ RemoveFromVersionId: holder });
    }
  };
  // A run that was killed may have left it.
  await removeFrom(labels);
  await move({ MoveToVersionId: first });
  try {
    return await refusalOf(move({ MoveToVersionId: second }));
  } finally {
    await removeFrom((await describeSecret(secrets, secretArn)).labels);
  }
}

async function record(deployment: Deployment, event: unknown): Promise<Refusal | undefined> {
  const lambda = await lambdaClient(deployment);
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: deployment.outputs.RecordUploadFunctionName,
      Payload: Buffer.from(JSON.stringify(event)),
    }),
  );
  const message = Buffer.from(Payload ?? []).toString('utf8');
  return FunctionError === undefined ? undefined : { name: FunctionError, message };
}
