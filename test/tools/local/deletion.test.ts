import { join } from 'node:path';
import { storedVersions } from 'cloud-assembly-emulator/test/stored-versions';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** Tests deletions on a running service: access ends, and no deleted data remains after the retention. */

const run = await useRunningStack();
const deployment = run.deployment;

const operator = adminOf(deployment);

/** Returns the sizes of the versions of an upload's key, newest first; -1 for a delete marker. */
async function versionsOf(uploadId: string): Promise<readonly number[]> {
  const folder = join(run.stateDirectory, 'aws');
  const versions = await storedVersions(folder, deployment.outputs.BucketName, `uploads/${uploadId}`);
  return versions.map(({ deleteMarker, size }) => (deleteMarker ? -1 : size));
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000);

/** Counts the records of clients, files and uploads of an organisation. */
async function recordsOf(organisationId: string): Promise<number> {
  const database = await dynamoDBClient(deployment);
  const { ClientsTableName, FilesTableName, UploadsTableName } = deployment.outputs;
  const scans = [ClientsTableName, FilesTableName, UploadsTableName].map((TableName) =>
    database.scan({ TableName, ConsistentRead: true }),
  );
  const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items);
  return items.filter((item) => item.organisation_id?.S === organisationId).length;
}

test('a deleted file leaves nothing after the retention', async () => {
  const client = await createApiUser(run, 'one');
  const fileId = await client.newFile();
  const { uploadId: replaced } = await client.store('first', fileId);
  const { uploadId: current } = await client.store('second', fileId);
  const { put, uploadId: unused } = await client.issue(fileId);
  const versions = () => Promise.all([replaced, current, unused].map(versionsOf));

  expect((await operator(`file delete ${fileId} --yes`)).code).toBe(0);
  expect((await client.sync(fileId)).status).toBe(404);
  expect((await put('late')).status).toBe(412);

  // The reconciliation deletes content that was replaced before the deletion.
  await run.runSchedules(inDays(2));
  await run.applyRetention(inDays(29));
  expect(await versions()).toEqual([[-1, 5], [0, 6], [0]]);
  expect(await recordsOf('one')).toBe(5);

  // The client remains, because it was not deleted.
  await run.applyRetention(inDays(32));
  expect((await versions()).flat()).not.toContainEqual(expect.toSatisfy((size: number) => size > 0));
  expect(await recordsOf('one')).toBe(1);
  await run.applyRetention(inDays(61));
  await run.applyRetention(inDays(61));
  expect(await versions()).toEqual([[], [], []]);
}, 60_000);
