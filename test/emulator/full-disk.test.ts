import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from '../../emulator/authentication/credentials.ts';
import { resource } from './support/aws-services.ts';
import { uploadUrl } from './support/presigned.ts';

const bucket = 'test-bucket';
const TableName = 'test-Table';
const secret = resource('Secret', 'AWS::SecretsManager::Secret', { SecretString: 'before' });
const resources = [
  resource('Bucket', 'AWS::S3::Bucket', {
    VersioningConfiguration: { Status: 'Enabled' },
    NotificationConfiguration: { EventBridgeConfiguration: {} },
  }),
  resource('Table', 'AWS::DynamoDB::Table', {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
  secret,
];

let stateDirectory: string;
let child: ChildProcess;
let endpoint: string;
let credentials: Credentials;

beforeAll(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'aws-full-'));
  await start();
});
afterAll(async () => {
  child.kill('SIGKILL');
  await rm(stateDirectory, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const script = fileURLToPath(new URL('./support/aws-process.ts', import.meta.url));
  child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: { ...process.env, STATE_DIRECTORY: stateDirectory, RESOURCES: JSON.stringify(resources) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), 'line')) as [string];
  ({ endpoint, credentials } = JSON.parse(line) as { endpoint: string; credentials: Credentials });
}

async function restart(): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await start();
}

/** With 0, no file of the process can grow: every write fails, as on a full disk. prlimit(1) needs no rights for it. */
async function limitFiles(bytes: number | 'unlimited'): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`]);
}

async function withClients<Result>(
  act: (clients: {
    s3: S3Client;
    dynamodb: DynamoDBClient;
    secrets: SecretsManagerClient;
  }) => Promise<Result>,
): Promise<Result> {
  const options = { endpoint, credentials, region: 'us-east-1', maxAttempts: 1 };
  const clients = {
    s3: new S3Client(options),
    dynamodb: new DynamoDBClient(options),
    secrets: new SecretsManagerClient(options),
  };
  try {
    return await act(clients);
  } finally {
    Object.values(clients).forEach((client) => void client.destroy());
  }
}

const putItem = (id: string) =>
  withClients(({ dynamodb }) => dynamodb.send(new PutItemCommand({ TableName, Item: { id: { S: id } } })));
const putSecret = (SecretString: string) =>
  withClients(({ secrets }) =>
    secrets.send(new PutSecretValueCommand({ SecretId: secret.ref, SecretString })),
  );
const put = async (url: string, body: string) => {
  const response = await fetch(url, { method: 'PUT', body });
  return [response.status, /<Code>(.*)<\/Code>/.exec(await response.text())?.[1]];
};

/** Everything that is stored, as clients see it. */
function stored() {
  return withClients(async ({ s3, dynamodb, secrets }) => {
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: secret.ref }));
    const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    const contents = Versions.map(async ({ Key }) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
      return `${Key}: ${await Body?.transformToString()}`;
    });
    return {
      items: Items.map(({ id }) => id?.S).toSorted(),
      secret: SecretString,
      objects: await Promise.all(contents),
    };
  });
}

const leftOvers = async () => [
  ...(await readdir(join(stateDirectory, 's3', bucket, 'incoming'))),
  ...(await readdir(join(stateDirectory, 'secrets'))).filter((name) => name.endsWith('.tmp')),
];

const hasPrlimit = ['/usr/bin/prlimit', '/bin/prlimit'].some((path) => existsSync(path));

describe.runIf(hasPrlimit)('AWS endpoints on a full disk', () => {
  const before = { items: ['before'], secret: 'before', objects: ['uploads/before: before'] };
  let url: string;

  it('answer 500 to every write, keep what is stored, and answer reads', { timeout: 60_000 }, async () => {
    const urlFor = (key: string) => uploadUrl({ endpoint, bucket, key, credentials });
    expect(await put(await urlFor('uploads/before'), 'before')).toEqual([200, undefined]);
    await putItem('before');
    url = await urlFor('uploads/during');
    await limitFiles(0);
    for (let round = 0; round < 2; round += 1) {
      expect(await put(url, 'during')).toEqual([500, 'InternalError']);
      await expect(putItem('during')).rejects.toMatchObject({ name: 'InternalServerError' });
      await expect(putSecret('during')).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
      expect(await stored()).toEqual(before);
    }
    expect(await leftOvers()).toEqual([]);
    // That of the first upload, which has no target here.
    expect(await readdir(join(stateDirectory, 'events'))).toHaveLength(1);
  });

  it('take the same requests when there is space, and keep them over kill -9', {
    timeout: 60_000,
  }, async () => {
    await limitFiles('unlimited');
    expect(await put(url, 'during')).toEqual([200, undefined]);
    await putItem('during');
    await putSecret('during');
    const after = {
      items: ['before', 'during'],
      secret: 'during',
      objects: ['uploads/before: before', 'uploads/during: during'],
    };
    expect(await stored()).toEqual(after);
    expect(await readdir(join(stateDirectory, 'events'))).toHaveLength(2);
    await restart();
    expect(await stored()).toEqual(after);
  });
});
