import { createHash, randomBytes } from 'node:crypto';
import { cp, readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { bucketWith, prepareRuns, resource, startAws, table } from './support/aws-services.ts';
import { clients } from './support/clients.ts';
import { presignedUrl } from './support/presigned.ts';
import { storedVersions } from './support/stored-versions.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** Starts from a copy of the state folder, which is what a killed process leaves. */

const bucket = 'test-bucket';
const secret = resource('Secret', 'AWS::SecretsManager::Secret', {});
const resources = [
  bucketWith({ NotificationConfiguration: { EventBridgeConfiguration: {} } }),
  table(),
  secret,
];
const runs = await prepareRuns(resources);
const killed = await runs.start();

const urlFor = (key: string) =>
  presignedUrl({ endpoint: killed.endpoint, key, credentials: killed.operatorCredentials });
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** SHA-256 of each object whose PUT got 200, by key. */
const responded: Record<string, string> = {};
const write = async (_: unknown, size: number) => {
  const [id, body] = [`uploads/${size}`, new Uint8Array(randomBytes(size * 10_000))];
  const { status } = await fetch(await urlFor(id), { method: 'PUT', body });
  expect(status).toBe(200);
  responded[id] = sha256(body);
  await clients(killed).dynamodb.putItem({ TableName: 'test-Table', Item: { id: { S: id } } });
};
await Promise.all(Array.from({ length: 10 }, write));
await clients(killed).secrets.putSecretValue({ SecretId: secret.ref, SecretString: 'last' });
const cut = request(await urlFor('uploads/cut'), { method: 'PUT', headers: { 'content-length': 2_000_000 } });
cut.on('error', () => undefined).write(randomBytes(1_000_000));
const incoming = (state: string) => readdir(join(state, 's3', bucket, 'incoming'));
await vi.waitFor(async () => expect(await incoming(runs.stateDirectory)).toHaveLength(1));
const stateDirectory = await temporaryFolder();
await cp(runs.stateDirectory, stateDirectory, { recursive: true });
cut.destroy();
const aws = await startAws({ stateDirectory, resources });
const { s3, dynamodb, secrets } = clients(aws);

test('exactly the objects of successful PUTs survive a kill, complete', async () => {
  const stored = await storedVersions(stateDirectory, bucket);
  const read = stored.map(async ({ key: Key }) => {
    const { Body } = await s3.getObject({ Bucket: bucket, Key });
    return [Key, sha256((await Body?.transformToByteArray()) ?? new Uint8Array())] as const;
  });
  expect(Object.fromEntries(await Promise.all(read))).toEqual(responded);
});

test('every item survives a kill', async () => {
  const { Items = [] } = await dynamodb.scan({ TableName: 'test-Table' });
  expect(Items.map(({ id }) => id?.S).toSorted()).toEqual(Object.keys(responded).toSorted());
});

test('the last value of a secret survives a kill', async () => {
  const { SecretString } = await secrets.getSecretValue({ SecretId: secret.ref });
  expect(SecretString).toBe('last');
});

test('interrupted uploads leave no files after a kill', async () => {
  expect(await incoming(stateDirectory)).toEqual([]);
});

test('the event of every object waits for delivery after a kill', async () => {
  expect(await readdir(join(stateDirectory, 'events'))).toHaveLength(10);
});
