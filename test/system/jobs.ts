import { randomBytes, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  DescribeSecretCommand,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Resource } from 'cloud-assembly-emulator';
import { checkDeployment } from 'cloud-assembly-emulator';
import { readHttpApi } from 'cloud-assembly-emulator/api-gateway/http-api';
import { createUuidV7 } from '../../storage/uuid-v7.ts';
import { createClient } from '../../tools/operator/clients.ts';
import { createFile, getFile } from '../../tools/operator/files.ts';
import { getUpload } from '../../tools/operator/uploads.ts';
import type { RunningStack } from '../support/running-stack.ts';

/** The stack at work, under the policies of these resources. */
export interface Work {
  readonly stack: RunningStack;
  readonly resources: readonly Resource[];
  /** How long the log of the AWS endpoints was when these policies came into force. */
  readonly since: number;
  /** A client's Basic credentials, and a token that it got. */
  readonly client: { readonly authorization: string; token: string };
}

/** One thing that the deployed service does. Rejects when it cannot. */
export type Job = (work: Work) => Promise<void>;

const organisationId = 'acme';

export async function prepareWork(stack: RunningStack): Promise<Work> {
  const { client_id, client_secret } = await createClient(stack.deployment, {
    organisationId,
    name: 'Every job',
    scopes: ['volume:read', 'sync:create'],
  });
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  return {
    stack,
    resources: stack.resources,
    since: stack.awsLog.length,
    client: { authorization, token: '' },
  };
}

/** Everything that any policy of the stack is there for. Those that end soonest come first. */
export const jobs: Readonly<Record<string, Job>> = {
  'deploy the stack': async ({ stack, resources }) => {
    checkDeployment(resources, stack.authorize, stack.stack);
    readHttpApi(resources);
  },

  'let alarms tell their topic': async ({ stack }) => {
    const { partition, region, accountId } = stack.stack;
    const sourceArn = `arn:${partition}:cloudwatch:${region}:${accountId}:alarm:Any`;
    const principal = { kind: 'service', service: 'cloudwatch.amazonaws.com', sourceArn } as const;
    for (const resource of topicsOf(stack)) {
      const { allowed } = stack.authorize({ principal, action: 'sns:Publish', resource });
      require(allowed, 'an alarm may not publish to its topic');
    }
  },

  'refuse what did not come by TLS': async ({ stack }) => {
    const insecure = { 'aws:SecureTransport': 'false' };
    const { BucketName, DeadLetterQueueUrl } = stack.deployment.outputs;
    const queue = DeadLetterQueueUrl.slice(DeadLetterQueueUrl.lastIndexOf('/') + 1);
    const { region, accountId } = stack.stack;
    for (const [action, resource] of [
      ['s3:GetObject', `arn:aws:s3:::${BucketName}/uploads/1`],
      ['s3:ListBucket', `arn:aws:s3:::${BucketName}`],
      ['sqs:ReceiveMessage', `arn:aws:sqs:${region}:${accountId}:${queue}`],
      ...topicsOf(stack).map((topic) => ['sns:Publish', topic] as const),
    ] as const) {
      const { allowed } = stack.authorize({
        principal: { kind: 'operator' },
        action,
        resource,
        context: insecure,
      });
      require(!allowed, `${action} without TLS was allowed`);
    }
  },

  'refuse a signature older than an hour': async ({ stack }) => {
    require((await putSignedBefore(stack, 3_540)) === 200, 'a signature of 59 minutes was refused');
    require((await putSignedBefore(stack, 3_660)) === 403, 'a signature of 61 minutes was taken');
  },

  'hear of the status of the stack': async ({ stack, resources }) => {
    const [rule] = resources.filter(({ logicalId }) => logicalId.startsWith('ProtectionStackChanged'));
    const allowed = stack.authorize({
      principal: {
        kind: 'service',
        service: 'events.amazonaws.com',
        sourceArn: rule?.attributes.Arn ?? '',
      },
      action: 'lambda:InvokeFunction',
      resource: protectFunction(resources)?.attributes.Arn ?? '',
    });
    require(allowed.allowed, 'EventBridge may not invoke the function');
  },

  'protect the stack and its tables from deletion': async ({ stack, resources }) => {
    await setProtection(stack, false);
    await stack.invoke(protectFunction(resources)?.ref ?? '', {});
    const protections = await readProtection(stack);
    require(!protections.includes(false), `protected: ${protections.join(', ')}`);
  },

  'issue a token': async ({ stack, client }) => {
    const response = await fetch(`${stack.baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: client.authorization },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    require(response.status === 200, `no token: ${response.status}`);
    client.token = ((await response.json()) as { access_token: string }).access_token;
  },

  'list volumes': async ({ stack, client }) => {
    const response = await fetch(`${stack.baseUrl}/v0/volumes`, { headers: bearer(client.token) });
    await response.arrayBuffer();
    require(response.status === 200, `no volumes: ${response.status}`);
  },

  'publish the key set': async ({ stack }) => {
    const response = await fetch(`${stack.baseUrl}/.well-known/jwks.json`);
    await response.arrayBuffer();
    require(response.status === 200, `no key set: ${response.status}`);
  },

  'write logs': async (work) => {
    // One function writes only when it has something to protect.
    await setProtection(work.stack, false);
    for (const { type, ref } of work.resources) {
      if (type === 'AWS::Lambda::Function') {
        await log(work, ref);
      }
    }
  },

  'rotate the signing key': rotate,

  'set the rotation schedule again': setSchedule,

  'make the first key, or find it made': ({ stack }) => stack.makeCustomResources(),

  'record an upload, and the one that replaces it': async (work) => {
    const { deployment } = work.stack;
    const fileId = await newFile(work);
    const uploads = [await upload(work, fileId), await upload(work, fileId)];
    await settle(work);
    const file = await getFile(deployment, fileId);
    require(file.content?.upload_id === uploads[1], 'the file does not point at its newest content');
    const replaced = await getUpload(deployment, uploads[0] ?? '');
    require(replaced.state === 'completed' &&
      replaced.superseded_at !== undefined, 'the replaced upload is not marked');
    const announced = new Set(work.stack.sentEvents.map(({ detail }) => detail.event_id));
    require(uploads.every((id) => announced.has(`${id}.completed`)), 'an upload was not announced');
  },

  'finish a cancelling that was cut short': async (work) => {
    const { deployment } = work.stack;
    const { uploadId } = await syncFile(work, await newFile(work));
    await putAsOperator(work.stack, `uploads/${uploadId}`, '', 'tombstone=cancelled');
    await settle(work);
    const { state } = await getUpload(deployment, uploadId);
    require(state === 'cancelled', `the upload is ${state}`);
  },

  'record uploads whose events did not come': async (work) => {
    const { stack } = work;
    const fileId = await newFile(work);
    const replaced = await upload(work, fileId);
    await settle(work);
    // Empty, so that it might be a tombstone.
    const uploadId = await withoutEvents(work, () => upload(work, fileId, ''));
    await stack.runSchedules(new Date(Date.now() + 2 * 3_600_000));
    const { state } = await getUpload(stack.deployment, uploadId);
    require(state === 'completed', `the upload is ${state}`);
    const { superseded_at } = await getUpload(stack.deployment, replaced);
    require(superseded_at !== undefined, 'the replaced upload is not marked');
  },

  'find an upload URL that nobody used': async (work) => {
    const { stack } = work;
    const { uploadId } = await syncFile(work, await newFile(work));
    await stack.runSchedules(new Date(Date.now() + 2 * 3_600_000));
    const { expired_at } = await getUpload(stack.deployment, uploadId);
    require(expired_at !== undefined, 'the upload is not marked as expired');
  },

  'delete content that was replaced': async (work) => {
    const { stack } = work;
    const fileId = await newFile(work);
    const replaced = await upload(work, fileId);
    await upload(work, fileId);
    await settle(work);
    await stack.runSchedules(new Date(Date.now() + 26 * 3_600_000));
    require(!(await isStored(stack, `uploads/${replaced}`)), 'the replaced content is still there');
  },

  'keep an event that the function fails on': async ({ stack }) => {
    await putAsOperator(stack, `uploads/${newUploadId()}`, 'of no upload');
    require((await endOfEvent(stack)) === 'kept', 'the event is lost');
  },

  'keep an event that cannot be delivered': async (work) => {
    const end = await withoutEvents(work, async () => {
      await putAsOperator(work.stack, `uploads/${newUploadId()}`, 'of no upload');
      return endOfEvent(work.stack);
    });
    require(end === 'kept', 'the event is lost');
  },
};

/** Those of the jobs that no function takes part in. */
export const jobsWithoutFunctions: readonly string[] = [
  'deploy the stack',
  'let alarms tell their topic',
  'refuse what did not come by TLS',
  'refuse a signature older than an hour',
  'hear of the status of the stack',
];

function topicsOf({ resources }: RunningStack): readonly string[] {
  return resources.filter(({ type }) => type === 'AWS::SNS::Topic').map(({ ref }) => ref);
}

function protectFunction(resources: readonly Resource[]): Resource | undefined {
  return resources.find(({ logicalId }) => logicalId.startsWith('ProtectionProtectFunction'));
}

function tableNamesOf({ deployment }: RunningStack): readonly string[] {
  const { ClientsTableName, FilesTableName, UploadsTableName } = deployment.outputs;
  return [ClientsTableName, FilesTableName, UploadsTableName];
}

async function setProtection(stack: RunningStack, isProtected: boolean): Promise<void> {
  const cloudFormation = new CloudFormationClient(stack.deployment.awsConfig);
  const dynamoDb = new DynamoDBClient(stack.deployment.awsConfig);
  await cloudFormation.send(
    new UpdateTerminationProtectionCommand({
      StackName: stack.stack.stackName,
      EnableTerminationProtection: isProtected,
    }),
  );
  for (const TableName of tableNamesOf(stack)) {
    await dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: isProtected }));
  }
}

/** Of the stack, then of its tables. */
async function readProtection(stack: RunningStack): Promise<readonly boolean[]> {
  const cloudFormation = new CloudFormationClient(stack.deployment.awsConfig);
  const dynamoDb = new DynamoDBClient(stack.deployment.awsConfig);
  const StackName = stack.stack.stackName;
  const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const tables = await Promise.all(
    tableNamesOf(stack).map((TableName) => dynamoDb.send(new DescribeTableCommand({ TableName }))),
  );
  return [
    Stacks[0]?.EnableTerminationProtection === true,
    ...tables.map(({ Table }) => Table?.DeletionProtectionEnabled === true),
  ];
}

/** Not the number of days of the template, so that the function has a schedule to set. */
const otherDays = 89;

async function setSchedule(work: Work): Promise<void> {
  const { stack } = work;
  const { awsConfig, outputs } = stack.deployment;
  const secretsManager = new SecretsManagerClient(awsConfig);
  const days = async () => {
    const secret = new DescribeSecretCommand({ SecretId: outputs.SigningKeySecretArn });
    return (await secretsManager.send(secret)).RotationRules?.AutomaticallyAfterDays;
  };
  if ((await days()) !== otherDays) {
    await rotate(work);
  }
  const { ok } = await stack.invoke(outputs.RotateSigningKeyFunctionName, { action: 'schedule' });
  const after = await days();
  secretsManager.destroy();
  require(ok && after !== otherDays, 'the schedule was not set');
}

async function rotate({ stack }: Work): Promise<void> {
  const { awsConfig, outputs } = stack.deployment;
  const secretsManager = new SecretsManagerClient(awsConfig);
  const SecretId = outputs.SigningKeySecretArn;
  const before = stack.awsLog.length;
  const failed = () => stack.awsLog.slice(before).some(({ message }) => message === 'secret rotation failed');
  const pending = async () => {
    const { VersionIdsToStages = {} } = await secretsManager.send(new DescribeSecretCommand({ SecretId }));
    return Object.values(VersionIdsToStages).some(
      (stages) => stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
    );
  };
  // One that is not complete is taken up again instead.
  const RotationRules = { AutomaticallyAfterDays: otherDays };
  await secretsManager.send(new RotateSecretCommand({ SecretId, RotationRules })).catch((error: Error) => {
    if (error.name !== 'InvalidRequestException') {
      throw error;
    }
  });
  while (!failed() && (await pending())) {
    await delay(10);
  }
  secretsManager.destroy();
  require(!failed(), 'the rotation failed');
}

/** Makes a function write a line, and looks for it in its log. */
async function log({ stack, since }: Work, functionName: string): Promise<void> {
  const path = join(stack.stateDirectory, 'logs', `${functionName}.log`);
  const size = async () => (await stat(path).catch(() => undefined))?.size ?? 0;
  const before = await size();
  // Nobody's event: each function says that it can make nothing of it.
  const requestContext = { requestId: randomUUID() };
  await stack.invoke(functionName, { routeKey: 'GET /nowhere', headers: {}, requestContext });
  while ((await size()) === before) {
    const denied = stack.awsLog.slice(since).some(({ action }) => String(action).startsWith('logs:'));
    require(!denied, `${functionName} may not write its log`);
    await delay(5);
  }
}

async function newFile({ stack }: Work): Promise<string> {
  const file = await createFile(stack.deployment, { organisationId, name: 'Job', syncEnabled: true });
  return file.file_id;
}

async function syncFile({ stack, client }: Work, fileId: string) {
  const response = await fetch(`${stack.baseUrl}/v0/files/${fileId}/sync`, {
    method: 'POST',
    headers: bearer(client.token),
  });
  require(response.status === 200, `no upload URL: ${response.status}`);
  const url = ((await response.json()) as { data: { upload_url: string } }).data.upload_url;
  return { url, uploadId: new URL(url).pathname.split('/').at(-1) ?? '' };
}

/** Does something while EventBridge may invoke no function, and waits until the events are given up. */
async function withoutEvents<Result>(
  { stack, resources }: Work,
  act: () => Promise<Result>,
): Promise<Result> {
  const eventBridgeMay = ({ type, properties }: Resource) =>
    type === 'AWS::Lambda::Permission' &&
    (properties as { readonly Principal: string }).Principal === 'events.amazonaws.com';
  stack.usePolicies(resources.filter((resource) => !eventBridgeMay(resource)));
  try {
    return await act();
  } finally {
    await stack.eventsSettled();
    stack.usePolicies(resources);
  }
}

async function upload(work: Work, fileId: string, body = 'content'): Promise<string> {
  const { url, uploadId } = await syncFile(work, fileId);
  const response = await fetch(url, { method: 'PUT', body });
  require(response.status === 200, `not stored: ${response.status}`);
  return uploadId;
}

/** Waits until the events are through. One that was given up fails the job. */
async function settle({ stack }: Work): Promise<void> {
  const before = stack.awsLog.length;
  await stack.eventsSettled();
  require(!stack.awsLog.slice(before).some(isGivenUp), 'an event was given up');
}

function isGivenUp({ message }: Readonly<Record<string, unknown>>): boolean {
  return message === 'event moved to the dead-letter queue' || message === 'event dropped';
}

async function endOfEvent(stack: RunningStack): Promise<'kept' | 'lost'> {
  const before = stack.awsLog.length;
  await stack.eventsSettled();
  const end = stack.awsLog.slice(before).find(isGivenUp);
  return end?.message === 'event moved to the dead-letter queue' ? 'kept' : 'lost';
}

async function putAsOperator(stack: RunningStack, key: string, body: string, tagging?: string) {
  const s3 = operatorS3(stack);
  const Tagging = tagging === undefined ? {} : { Tagging: tagging };
  const input = { Bucket: stack.deployment.outputs.BucketName, Key: key, ...Tagging };
  await s3.send(new PutObjectCommand({ ...input, Body: Buffer.from(body), ContentLength: body.length }));
  s3.destroy();
}

async function isStored(stack: RunningStack, key: string): Promise<boolean> {
  const s3 = operatorS3(stack);
  const head = new HeadObjectCommand({ Bucket: stack.deployment.outputs.BucketName, Key: key });
  const found = await s3.send(head).then(
    () => true,
    () => false,
  );
  s3.destroy();
  return found;
}

/** @returns the status of a PUT with a URL that the operator signed so many seconds ago */
async function putSignedBefore(stack: RunningStack, seconds: number): Promise<number> {
  const s3 = operatorS3(stack);
  // Outside of what the service's rule listens to.
  const put = new PutObjectCommand({
    Bucket: stack.deployment.outputs.BucketName,
    Key: `old/${randomUUID()}`,
  });
  const signingDate = new Date(Date.now() - seconds * 1000);
  const url = await getSignedUrl(s3, put, { expiresIn: 7_200, signingDate });
  s3.destroy();
  const response = await fetch(url, { method: 'PUT', body: 'content' });
  await response.arrayBuffer();
  return response.status;
}

function operatorS3({ deployment }: RunningStack): S3Client {
  return new S3Client({
    ...deployment.awsConfig,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
}

const newUploadId = createUuidV7(Date.now, randomBytes);

function bearer(token: string) {
  return { authorization: `Bearer ${token}` };
}

function require(condition: boolean, problem: string): void {
  if (!condition) {
    throw new Error(problem);
  }
}
