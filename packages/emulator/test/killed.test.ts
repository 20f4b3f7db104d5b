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
import { afterAll, expect, it } from 'vitest';
import type { Credentials } from '../authentication/credentials.ts';
import { bucketWith, resource, table } from './support/aws-services.ts';
import { clientsWith } from './support/clients.ts';
import { uploadUrl } from './support/presigned.ts';
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
  const incoming = join(stateDirectory, 's3', bucket, 'incoming');
  await expect.poll(() => readdir(incoming)).toHaveLength(1);
}

it('AWS endpoints that are killed have everything that was answered, and nothing that was not', {
  timeout: 60_000,
}, async () => {
  const digests = new Map<string, string>();
  const ids: string[] = [];
  let first = '';
  for (let round = 0; round < 2; round += 1) {
    const aws = await start();
    first ||= aws.credentials.accessKeyId;
    expect(aws.credentials.accessKeyId).toBe(first);
    const { dynamodb, secrets, endpoint, credentials } = aws;
    const urlFor = (key: string) => uploadUrl({ endpoint, bucket, key, credentials });
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const [key, body] = [`uploads/${round}-${i}`, randomBytes(i * 10_000)];
        const { status } = await fetch(await urlFor(key), { method: 'PUT', body: new Uint8Array(body) });
        if (status === 200) {
          digests.set(key, createHash('sha256').update(body).digest('hex'));
        }
        ids.push(`${round}-${i}`);
        await dynamodb.send(
          new PutItemCommand({ TableName: 'test-Table', Item: { id: { S: `${round}-${i}` } } }),
        );
      }),
    );
    await secrets.send(new PutSecretValueCommand({ SecretId: secret.ref, SecretString: `round ${round}` }));
    await beginUpload(await urlFor(`uploads/${round}-cut`));
    await kill(aws);
  }
  const aws = await start();
  const { s3, dynamodb, secrets } = aws;
  expect(digests.size).toBe(20);
  const stored = await storedVersions(stateDirectory, bucket);
  expect(stored.map(({ key }) => key).toSorted()).toEqual([...digests.keys()].toSorted());
  for (const [Key, digest] of digests) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    expect(createHash('sha256').update(bytes).digest('hex'), Key).toBe(digest);
  }
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'test-Table' }));
  expect(Items.map(({ id }) => id?.S).toSorted()).toEqual(ids.toSorted());
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: secret.ref }));
  expect(SecretString).toBe('round 1');
  expect(await readdir(join(stateDirectory, 's3', bucket, 'incoming'))).toEqual([]);
  expect(await readdir(join(stateDirectory, 'events'))).toHaveLength(20);
  await kill(aws);
});
