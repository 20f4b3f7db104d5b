import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import type { AttackedService } from '../../support/attacked-service.ts';
import { listKeys } from '../../support/list-keys.ts';
import { startLocalRun } from '../../support/local-run.ts';
import { provision } from '../../support/provision.ts';
import { publishKey } from '../../support/published-key.ts';

/** A local run of its own, as `npm start` starts it, with clients and files as the admin command makes them. */
export async function startLiveService(): Promise<AttackedService> {
  const run = await startLocalRun();
  const admin = await localDeployment(run.stateDirectory);
  const { endpoint = '', region = '', credentials } = admin.awsConfig;
  if (credentials === undefined) {
    throw new Error('The local run gives no credentials.');
  }
  const { KeySetSecretArn, BucketName, FilesTableName } = admin.outputs;
  const signingKey = await publishKey({
    endpoint,
    region,
    credentials,
    keySetSecretArn: KeySetSecretArn,
    bucketName: BucketName,
    filesTableName: FilesTableName,
  });
  const { fixtures } = await provision(admin, run.baseUrl);
  const { client, reader, revoked, file, fileNotEnabled, fileOfAnother } = fixtures;
  if (!reader || !revoked || !file || !fileNotEnabled || !fileOfAnother) {
    throw new Error('Something was not provisioned.');
  }
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  return {
    baseUrl: run.baseUrl,
    storageOrigin: endpoint,
    client,
    reader,
    revoked,
    file,
    fileNotEnabled,
    fileOfAnother,
    signingKey,
    logLines: () => readLogs(join(run.stateDirectory, 'logs')),
    storedKeys: () => listKeys(s3, BucketName),
    close: async () => {
      s3.destroy();
      await run.stop();
    },
  };
}

async function readLogs(directory: string): Promise<string[]> {
  const texts = await Promise.all(
    (await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')),
  );
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}
