import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { getFile } from '../../../tools/operator/files/file.ts';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { getUpload, type Upload } from '../../../tools/operator/uploads/upload.ts';
import { type ApiUser, createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** What becomes of upload URLs when things go wrong, seen through a running service and the operator's command. */

let run: RunningStack;
let deployment: Deployment;
let user: ApiUser;

beforeAll(async () => {
  run = await startRunningStack();
  deployment = run.deployment;
  user = await createApiUser(run);
});
afterEach(() => setFaults(run.stateDirectory, {}));
afterAll(() => run?.close());

const put = async ({ put: send }: IssuedUrl, body: string) => (await send(body)).status;

async function completed(uploadId: string): Promise<Extract<Upload, { state: 'completed' }>> {
  await expect.poll(() => stateOf(uploadId), { timeout: 10_000 }).toBe('completed');
  const ended = await getUpload(deployment, uploadId);
  if (ended.state !== 'completed') {
    throw new Error(`The upload is ${ended.state}`);
  }
  return ended;
}

async function stateOf(uploadId: string): Promise<Upload['state']> {
  return (await getUpload(deployment, uploadId)).state;
}

/** Makes an upload due as if its hour were over. The URL keeps its own time. */
async function setExpired(uploadId: string): Promise<void> {
  const database = await dynamoDBClient(deployment);
  await database.send(
    new UpdateItemCommand({
      TableName: deployment.outputs.UploadsTableName,
      Key: { upload_id: { S: uploadId } },
      UpdateExpression: 'SET expires_at = :before',
      ExpressionAttributeValues: { ':before': { S: new Date(Date.now() - 1000).toISOString() } },
    }),
  );
}

test('an upload is not lost when any call of DynamoDB is throttled while it is recorded', async () => {
  const { FilesTableName: files, UploadsTableName: uploads } = deployment.outputs;
  for (const [operation, table] of [
    ['GetItem', uploads],
    ['GetItem', files],
    ['UpdateItem', files],
    ['UpdateItem', uploads],
  ] as const) {
    const fileId = await user.newFile();
    const issued = await user.issue(fileId);
    // The function's AWS client makes three attempts at a call.
    setFaults(run.stateDirectory, { dynamodb: [{ operation, table, fault: 'throttling', calls: 3 }] });
    expect(await put(issued, 'content')).toBe(200);
    await run.eventsSettled();
    const { content } = await getFile(deployment, fileId);
    const found = [await stateOf(issued.uploadId), content?.upload_id];
    expect([operation, table, ...found]).toEqual([operation, table, 'completed', issued.uploadId]);
  }
  expect(run.awsLog).not.toContainEqual(
    expect.objectContaining({ message: 'event moved to the dead-letter queue' }),
  );
});

/** `CANCEL_RACES=500 npx vitest run test/system/uploads/upload-life` runs more of them. */
const races = Number(process.env.CANCEL_RACES ?? 24);

const isSome = (count: number) => count > 0;

describe('a cancel and an upload at the same moment', () => {
  test(
    'exactly one of them wins, and the upload says which',
    async () => {
      const fileId = await user.newFile();
      const wins = { upload: 0, cancel: 0 };
      // One begins before the other, by up to half of the time that a cancel takes.
      const span = await timeOfCancel(fileId);
      for (let round = 0; round < races; round += 1) {
        const issued = await user.issue(fileId);
        const { uploadId } = issued;
        const lead = span * ((round % 24) / 24 - 0.5);
        const [status, cancelled] = await Promise.all([
          delay(Math.max(0, lead)).then(() => put(issued, 'x'.repeat(1 + 10_000 * (round % 3)))),
          delay(Math.max(0, -lead))
            .then(() => cancelUpload(deployment, uploadId))
            .then(
              ({ state }) => state === 'cancelled',
              () => false,
            ),
        ]);
        expect([status === 200, cancelled].filter(Boolean), `round ${round}`).toHaveLength(1);
        if (status !== 200) {
          expect([409, 412]).toContain(status);
        }
        await expect
          .poll(() => stateOf(uploadId), { timeout: 10_000 })
          .toBe(cancelled ? 'cancelled' : 'completed');
        expect(await put(issued, 'again')).toBe(412);
        wins[cancelled ? 'cancel' : 'upload'] += 1;
      }
      expect(wins).toEqual({ upload: expect.toSatisfy(isSome), cancel: expect.toSatisfy(isSome) });
    },
    60_000 + 1000 * races,
  );

  /** In milliseconds. */
  async function timeOfCancel(fileId: string): Promise<number> {
    await cancelUpload(deployment, (await user.issue(fileId)).uploadId);
    const { uploadId } = await user.issue(fileId);
    const startedAt = performance.now();
    await cancelUpload(deployment, uploadId);
    return performance.now() - startedAt;
  }
});

const statusOf = (answer: IncomingMessage) => answer.resume().statusCode;

describe('an upload that is shown as expired while its PUT is under way', () => {
  async function beginPut() {
    const fileId = await user.newFile();
    const { url, uploadId } = await user.issue(fileId);
    const body = randomBytes(200_000);
    const headers = { 'content-length': body.length, expect: '100-continue' };
    const request = openRequest(url, { method: 'PUT', headers });
    const answered = once(request, 'response').then(([answer]) => statusOf(answer as IncomingMessage));
    // The storage asks for the body when it has accepted the request.
    const continued = once(request, 'continue');
    request.flushHeaders();
    await continued;
    request.write(body.subarray(0, 100_000));
    await setExpired(uploadId);
    expect(await stateOf(uploadId)).toBe('expired');
    const end = () => {
      request.end(body.subarray(100_000));
      return answered;
    };
    return { uploadId, end };
  }

  test('is recorded when its PUT ends', async () => {
    const { uploadId, end } = await beginPut();
    expect(await end()).toBe(200);
    expect((await completed(uploadId)).size).toBe(200_000);
  });

  test('is refused with 412 at its end when it was cancelled meanwhile', async () => {
    const { uploadId, end } = await beginPut();
    await cancelUpload(deployment, uploadId);
    expect(await end()).toBe(412);
    expect(await stateOf(uploadId)).toBe('cancelled');
  });
});
