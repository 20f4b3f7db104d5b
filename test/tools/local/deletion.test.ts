import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { storedVersions } from 'cloud-assembly-emulator/test/stored-versions';
import { expect, test } from 'vitest';
import { updateToDeletedFile } from '../../../storage/file.ts';
import { changeItem } from '../../../tools/operator/deployment/items.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { type ApiUser, createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** What a deletion leaves, seen through a running service: nothing that works, and after the retention nothing at all. */

const run = await useRunningStack();
const deployment = run.deployment;

const operator = adminOf(deployment);

async function upload({ issue }: ApiUser, fileId: string, body: string): Promise<string> {
  const { put, uploadId } = await issue(fileId);
  expect((await put(body)).status).toBe(200);
  await run.eventsSettled();
  return uploadId;
}

/** The sizes of the versions of an upload's key, newest first; -1 for a delete marker. */
async function versionsOf(uploadId: string): Promise<readonly number[]> {
  const versions = await storedVersions(join(run.stateDirectory, 'aws'), deployment.outputs.BucketName);
  return versions
    .filter(({ key }) => key === `uploads/${uploadId}`)
    .map(({ deleteMarker, size }) => (deleteMarker ? -1 : size));
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000);

async function recordsOf(organisationId: string): Promise<number> {
  const database = new DynamoDBClient(deployment.awsConfig);
  let records = 0;
  for (const TableName of [
    deployment.outputs.ClientsTableName,
    deployment.outputs.FilesTableName,
    deployment.outputs.UploadsTableName,
  ]) {
    const { Items = [] } = await database.send(new ScanCommand({ TableName, ConsistentRead: true }));
    records += Items.filter((item) => item.organisation_id?.S === organisationId).length;
  }
  return records;
}

test('a deleted file: 404, URLs answer 412, and after the retention nothing is left of it', async () => {
  const client = await createApiUser(run, 'one');
  const fileId = await client.newFile();
  const replaced = await upload(client, fileId, 'first');
  const current = await upload(client, fileId, 'second');
  const { put, uploadId: id } = await client.issue(fileId);
  expect((await operator('file', 'delete', fileId, '--yes')).code).toBe(0);

  expect((await client.sync(fileId)).status).toBe(404);
  expect((await put('late')).status).toBe(412);
  expect((await getUpload(deployment, id)).state).toBe('cancelled');
  expect(await versionsOf(current)).toEqual([0, 6]);

  // The reconciliation deletes what was replaced before.
  await run.runSchedules(inDays(2));
  expect(await versionsOf(replaced)).toEqual([-1, 5]);
  await run.applyRetention(inDays(29));
  expect(await versionsOf(current)).toEqual([0, 6]);
  expect(await recordsOf('one')).toBe(5);

  await run.applyRetention(inDays(30));
  for (const uploadId of [current, replaced]) {
    expect(await versionsOf(uploadId)).not.toContain(6);
    expect(await versionsOf(uploadId)).not.toContain(5);
  }
  // The client stays: nobody deleted it.
  expect(await recordsOf('one')).toBe(1);
  await expect(getFile(deployment, fileId)).rejects.toThrow('There is no file');

  await run.applyRetention(inDays(61));
  await run.applyRetention(inDays(61));
  for (const uploadId of [current, replaced, id]) {
    expect(await versionsOf(uploadId)).toEqual([]);
  }
}, 60_000);

test('an upload whose bytes arrive while its file is deleted does not bring the file back', async () => {
  const client = await createApiUser(run, 'two');
  const fileId = await client.newFile();
  const { put, uploadId: id } = await client.issue(fileId);
  // The file is marked, as by a command that was stopped right after that.
  await changeItem(deployment, 'file', fileId, updateToDeletedFile(fileId, new Date().toISOString()));
  expect((await put('bytes')).status).toBe(200);
  await run.eventsSettled();
  expect((await getUpload(deployment, id)).state).toBe('completed');
  expect((await getFile(deployment, fileId)).content).toBeUndefined();
  expect((await operator('file', 'delete', fileId, '--yes')).code).toBe(0);
  expect((await getFile(deployment, fileId)).delete_after).toBeDefined();
  await run.runSchedules(inDays(2));
  expect(await versionsOf(id)).toEqual([-1, 5]);
  await run.applyRetention(inDays(30));
  expect(await versionsOf(id)).not.toContain(5);
}, 60_000);

test('a deleted client gets no token, its URLs answer 412, and its record goes', async () => {
  const client = await createApiUser(run, 'three');
  const fileId = await client.newFile();
  const { put } = await client.issue(fileId);
  expect((await operator('client', 'delete', client.client.client_id, '--yes')).code).toBe(0);
  const refused = await client.requestToken();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
  expect((await put('late')).status).toBe(412);
  await run.applyRetention(inDays(31));
  expect((await operator('client', 'show', client.client.client_id)).stderr).toContain('There is no client');
}, 60_000);

test('the retention leaves what is current, and what is not deleted', async () => {
  const client = await createApiUser(run, 'five');
  const fileId = await client.newFile();
  const current = await upload(client, fileId, 'kept');
  await run.applyRetention(inDays(10_000));
  expect(await versionsOf(current)).toEqual([4]);
  expect(await recordsOf('five')).toBe(3);
}, 60_000);
