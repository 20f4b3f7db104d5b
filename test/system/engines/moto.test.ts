import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { readAssembly } from 'cloud-assembly-emulator';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import type { HttpEvent, HttpResponse } from '../../../lambdas/shared/http/messages.ts';
import { synthesize } from '../../../tools/local/start/synthesize.ts';
import { createClient } from '../../../tools/operator/clients/client.ts';
import { attributeOf } from '../../../tools/operator/description/field.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { readPage } from '../../../tools/operator/lists/read.ts';
import { listSigningKeys } from '../../../tools/operator/signing-keys/signing-key.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { stubEnvironment } from '../../lambdas/support/environment.ts';
import { outputs, putItems, tables } from '../../support/aws.ts';
import { definitionOf } from '../../support/dynamodb.ts';
import { bodyOf, httpEvent } from '../../support/http-event.ts';
import { listen } from '../../support/listen.ts';
import { lacks } from '../../support/missing-tool.ts';
import { idsWith, lists, manyListed, nouns } from '../../tools/operator/lists/many-listed.ts';

/**
 * Runs the bundles of the functions on moto, an AWS in Python that others wrote. It may reject what the emulator
 * accepts. Each known difference between moto and AWS is marked with its date.
 */

const missing = lacks('moto_server', '--help');

/** Starts moto with the resources of the service, and loads the bundles of the functions. */
async function startService() {
  const free = createServer();
  const endpoint = await listen(free);
  await new Promise((resolve) => free.close(resolve));
  const moto = spawn('moto_server', ['-p', new URL(endpoint).port], { stdio: 'ignore' });
  atEnd(() => moto.kill());
  await vi.waitFor(() => fetch(endpoint), { timeout: 240_000, interval: 200 });
  const operatorCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const awsConfig = { region: 'us-east-1', endpoint, credentials: operatorCredentials };
  const database = new DynamoDB(awsConfig);
  for (const [TableName, keys] of Object.entries(tables)) {
    await database.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...definitionOf(keys) });
  }
  await putItems(database, manyListed);
  const s3 = new S3({ ...awsConfig, forcePathStyle: true });
  const bucket = { Bucket: outputs.BucketName };
  await s3.createBucket(bucket);
  await s3.putBucketVersioning({ ...bucket, VersioningConfiguration: { Status: 'Enabled' } });
  await new EventBridge(awsConfig).createEventBus({ Name: outputs.EventBusName });
  const secrets = new SecretsManager(awsConfig);
  const { ARN: signingKey = '' } = await secrets.createSecret({
    Name: 'signing-key',
    KmsKeyId: outputs.SigningKeyKmsKeyArn,
  });
  const { ARN: keySet = '' } = await secrets.createSecret({ Name: 'key-set' });
  const baseUrl = 'https://files.example.com';
  const stub = () =>
    stubEnvironment(
      { endpoint, operatorCredentials },
      {
        BASE_URL: baseUrl,
        CLIENTS_TABLE_NAME: outputs.ClientsTableName,
        FILES_TABLE_NAME: outputs.FilesTableName,
        UPLOADS_TABLE_NAME: outputs.UploadsTableName,
        BUCKET_NAME: bucket.Bucket,
        BUCKET_HOST: 'bucket',
        EVENT_BUS_NAME: outputs.EventBusName,
        SIGNING_KEY_SECRET_ARN: signingKey,
        SIGNING_KEY_KMS_KEY_ARN: outputs.SigningKeyKmsKeyArn,
        KEY_SET_SECRET_ARN: keySet,
        SIGNING_ALGORITHM: 'ES256',
        SIGNING_KEY_ROTATION_DAYS: '90',
        TOKEN_LIFETIME_SECONDS: '3600',
        UPLOAD_SIGNER_ROLE_ARN: 'arn:aws:iam::123456789012:role/signer',
        UPLOAD_RECORD_RETENTION_DAYS: 'forever',
        METRICS_NAMESPACE: 'none',
      },
    );
  stub();
  beforeEach(stub);
  const folder = await temporaryFolder();
  const { signal } = new AbortController();
  await synthesize({ outputDirectory: folder, context: { baseUrl }, signal });
  const { template, assetDirectory } = readAssembly(folder);
  const resources = Object.entries(Object(template).Resources);
  const load = async (id: string) => {
    const [, resource] = resources.find(([name]) => name.startsWith(`${id}Function`)) ?? [];
    return await import(join(assetDirectory(Object(resource).Properties.Code.S3Key), 'index.mjs'));
  };
  const respond =
    ({ handler }: { readonly handler: (event: HttpEvent) => Promise<HttpResponse> }) =>
    async (event: Partial<HttpEvent>) =>
      bodyOf(await handler(httpEvent(event)));
  const rotation = await load('RotationRotate');
  const context = { invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:rotate' };
  return {
    deployment: {
      stackName: 'test',
      outputs: { ...outputs, SigningKeySecretArn: signingKey, KeySetSecretArn: keySet },
      awsConfig,
      now: Date.now,
    },
    s3,
    wellKnown: respond(await load('WellKnown')),
    token: respond(await load('Token')),
    sync: respond(await load('Sync')),
    record: (await load('RecorderRecord')).handler,
    rotate: (event: object) => rotation.handler(event, context),
  };
}

if (missing === undefined) {
  testOn(await startService());
} else {
  test.skip(missing);
}

function testOn(service: Awaited<ReturnType<typeof startService>>) {
  const { deployment, s3, wellKnown, token, sync, record, rotate } = service;

  // First, because the upload below adds items.
  test.for(nouns)('all %ss of all organisations are listed page by page', async (noun) => {
    const source = await lists[noun].source(deployment, {});
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const { entries, next } = await readPage<object>(deployment, source, { after, limit: 45 });
      ids.push(...entries.map((entry) => String(attributeOf(entry, `${noun}_id`))));
      after = next;
    } while (after !== undefined);
    expect(ids).toEqual(idsWith(noun, []));
  });

  test('a deployment creates the signing keys', async () => {
    let result = '';
    const ResponseURL = await listen(
      createServer(async (request, response) => {
        result = (await request.toArray()).join('');
        response.end();
      }),
    );
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'FirstSigningKey' };
    await rotate({ RequestType: 'Create', ResponseURL, ...ids });
    // 2026-11-29: moto rejects a schedule for a function that is not in one of its containers.
    expect(result).toContain('ResourceNotFoundException');
    const keys = await listSigningKeys(deployment);
    expect(keys.map(({ state }) => state)).toEqual(['current', 'next']);
    // 2026-11-29: A rotation cannot end on moto. Its GetSecretValue ignores that AWSCURRENT moved.
    const published = await wellKnown({ routeKey: 'GET /.well-known/jwks.json' });
    expect(published).toMatchObject({ keys: keys.map(({ kid }) => ({ kid })) });
  });

  test('an upload is recorded, from the token to the file', async () => {
    const owned = { organisationId: 'globex', name: 'Moto' };
    const client = await createClient(deployment, { ...owned, scopes: ['sync:create'] });
    const { file_id: fileId } = await createFile(deployment, { ...owned, syncEnabled: true });
    const { client_id, client_secret } = client;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const { access_token } = await token({
      routeKey: 'POST /oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const { data } = await sync({
      routeKey: 'POST /v0/files/{fileId}/sync',
      headers: { authorization: `Bearer ${access_token}` },
      pathParameters: { fileId },
    });
    const { upload_url } = Object(data);
    expect(await fetch(upload_url, { method: 'PUT', body: 'id,amount\n' })).toMatchObject({ status: 200 });
    const [key = '', uploadId = ''] = /uploads\/([^?]+)/.exec(upload_url) ?? [];
    const stored = await s3.headObject({ Bucket: deployment.outputs.BucketName, Key: key });
    const object = { key, size: stored.ContentLength, etag: stored.ETag, 'version-id': stored.VersionId };
    await record({ time: new Date().toISOString(), detail: { object } });
    const upload = await getUpload(deployment, uploadId);
    expect(upload).toMatchObject({ state: 'completed', size: 10, file_id: fileId });
  });
}
