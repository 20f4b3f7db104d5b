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
import { timestamp } from '../../../storage/attributes.ts';
import { cancelUpload } from '../../operator/cancel-upload.ts';
import {
  dynamoDBClient,
  lambdaClient,
  s3Client,
  secretsManagerClient,
} from '../../operator/deployment/aws-clients.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { describeStack } from '../../operator/deployment/stack-deployment.ts';
import { CommandError } from '../../operator/errors.ts';
import { revokeSigningKey } from '../../operator/revoke-signing-key.ts';
import { listSigningKeys, setRotationSchedule } from '../../operator/signing-keys.ts';
import { getUpload } from '../../operator/uploads.ts';
import { NotChecked } from './outcome.ts';
import type { Operator, Refusal, SecretSeen } from './reach.ts';

/** What the operator's credentials can do to a deployment, through the same clients and operations as the admin command. */
export async function openOperator(deployment: Deployment, stackName: string | undefined): Promise<Operator> {
  const [storage, secrets] = await Promise.all([s3Client(deployment), secretsManagerClient(deployment)]);
  const { outputs } = deployment;
  const signingSecret = () => describeSecret(secrets, outputs.SigningKeySecretArn);
  return {
    region: await storage.config.region(),
    content: async (key) => {
      const { Body } = await storage.send(new GetObjectCommand({ Bucket: outputs.BucketName, Key: key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    checksum: async (key) => {
      const head = new HeadObjectCommand({ Bucket: outputs.BucketName, Key: key, ChecksumMode: 'ENABLED' });
      return (await storage.send(head)).ChecksumCRC64NVME;
    },
    upload: (uploadId) => getUpload(deployment, uploadId),
    writeUnderFalseCondition: (uploadId) => writeUnderFalseCondition(deployment, uploadId),
    tryToReadPrivateKeys: () =>
      refusalOf(secrets.send(new GetSecretValueCommand({ SecretId: outputs.SigningKeySecretArn }))),
    signingSecret,
    startRotation: async () => {
      const { VersionId = '' } = await secrets.send(
        new RotateSecretCommand({ SecretId: outputs.SigningKeySecretArn }),
      );
      return VersionId;
    },
    ensureSchedule: () => refusalOf(setRotationSchedule(deployment)),
    moveLabelBlindly: () => moveLabelBlindly(secrets, outputs.KeySetSecretArn),
    record: (event) => record(deployment, event),
    publishedKeys: async () => {
      const keys = await listSigningKeys(deployment);
      return { kids: keys.map(({ kid }) => kid), signing: keys.find(({ signs }) => signs)?.kid ?? '' };
    },
    revokeKey: async (kid) => new Date((await revokeSigningKey(deployment, kid)).rejected_from),
    cancel: async (uploadId) => void (await cancelUpload(deployment, uploadId)),
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
  const answer = await secrets.send(new DescribeSecretCommand({ SecretId: secretArn }));
  return {
    labels: answer.VersionIdsToStages ?? {},
    rotationEnabled: answer.RotationEnabled === true,
    nextRotation: answer.NextRotationDate,
  };
}

/** A label of its own, so that nothing happens to the service whatever Secrets Manager does with it. */
const ownLabel = 'VERIFY';

async function moveLabelBlindly(
  secrets: SecretsManagerClient,
  secretArn: string,
): Promise<Refusal | undefined> {
  const versions = Object.keys((await describeSecret(secrets, secretArn)).labels);
  const [holder, other] = versions;
  if (holder === undefined || other === undefined) {
    throw new NotChecked('The secret with the public keys has one version only: rotate the key once.');
  }
  const label = { SecretId: secretArn, VersionStage: ownLabel };
  await removeOwnLabel(secrets, secretArn);
  await secrets.send(new UpdateSecretVersionStageCommand({ ...label, MoveToVersionId: holder }));
  try {
    return await refusalOf(
      secrets.send(new UpdateSecretVersionStageCommand({ ...label, MoveToVersionId: other })),
    );
  } finally {
    await removeOwnLabel(secrets, secretArn);
  }
}

async function removeOwnLabel(secrets: SecretsManagerClient, secretArn: string): Promise<void> {
  const { labels } = await describeSecret(secrets, secretArn);
  const holder = Object.keys(labels).find((version) => labels[version]?.includes(ownLabel));
  if (holder !== undefined) {
    const from = { SecretId: secretArn, VersionStage: ownLabel, RemoveFromVersionId: holder };
    await secrets.send(new UpdateSecretVersionStageCommand(from));
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
