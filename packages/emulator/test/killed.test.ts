import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Credentials } from '../authentication/credentials.ts';
import { bucketWith, resource, table } from './support/aws-services.ts';
import { clientsWith } from './support/clients.ts';
import { presignedUrl } from './support/presigned.ts';
import { storedVersions } from './support/stored-versions.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const bucket = 'test-bucket';
const secret = resource('Secret', 'AWS::SecretsManager::Secret', {});
const resources = [
  bucketWith({ NotificationConfiguration: { EventBridgeConfiguration: {} } }),
  table(),
  secret,
];

let running: ChildProcess | undefined;

const stateDirectory = await temporaryFolder();
const incoming = join(stateDirectory, 's3', bucket, 'incoming');
afterAll(() => running?.kill('SIGKILL'));

async function start() {
  const script = fileURLToPath(new URL('./support/aws-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: { ...process.env, STATE_DIRECTORY: stateDirectory, RESOURCES: JSON.stringify(resources) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { endpoint, credentials } = JSON.parse(line) as { endpoint: string; credentials: Credentials };
  return { child, endpoint, credentials, ...clientsWith(endpoint, credentials) };
}

async function kill({ child }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Sends a part of a body and leaves the connection open. Resolves when the first bytes are on disk. */
async function beginUpload(url: string): Promise<void> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10000000\r\n\r\n`);
  socket.write(randomBytes(4_000_000));
  await vi.waitFor(async () => expect(await readdir(incoming)).toHaveLength(1));
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

const rounds = [0, 1];
/** SHA-256 of each object whose PUT got 200, by key. */
const responded: Record<string, string> = {};
const accessKeys: string[] = [];

for (const round of rounds) {
  const aws = await start();
  const { dynamodb, secrets, endpoint, credentials } = aws;
  accessKeys.push(credentials.accessKeyId);
  const urlFor = (key: string) => presignedUrl({ endpoint, key, credentials });
  const write = async (_: unknown, i: number) => {
    const [id, body] = [`${round}-${i}`, randomBytes(i * 10_000)];
    const { status } = await fetch(await urlFor(id), { method: 'PUT', body: new Uint8Array(body) });
    if (status === 200) {
      responded[id] = sha256(body);
    }
    await dynamodb.send(new PutItemCommand({ TableName: 'test-Table', Item: { id: { S: id } } }));
  };
  await Promise.all(Array.from({ length: 10 }, write));
  await secrets.send(new PutSecretValueCommand({ SecretId: secret.ref, SecretString: `round ${round}` }));
  await beginUpload(await urlFor(`${round}-cut`));
  await kill(aws);
}
const { s3, dynamodb, secrets, credentials } = await start();

describe('after two kills', () => {
  test('the credentials stay the same', () => {
    expect(accessKeys).toEqual(rounds.map(() => credentials.accessKeyId));
  });

  test('exactly the objects of successful PUTs exist, complete', async () => {
    const stored = await storedVersions(stateDirectory, bucket);
    const read = stored.map(async ({ key: Key }) => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
      return [Key, sha256((await Body?.transformToByteArray()) ?? '')] as const;
    });
    expect(Object.keys(responded)).toHaveLength(20);
    expect(Object.fromEntries(await Promise.all(read))).toEqual(responded);
  });

  test('every stored item exists', async () => {
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'test-Table' }));
    expect(Items.map(({ id }) => id?.S).toSorted()).toEqual(Object.keys(responded).toSorted());
  });

  test('the secret contains its last value', async () => {
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: secret.ref }));
    expect(SecretString).toBe('round 1');
  });

  test('interrupted uploads leave no files', async () => {
    expect(await readdir(incoming)).toEqual([]);
  });

  test('the event of every object waits for delivery', async () => {
    expect(await readdir(join(stateDirectory, 'events'))).toHaveLength(20);
  });
});
