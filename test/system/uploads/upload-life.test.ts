import { setTimeout as delay } from 'node:timers/promises';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { afterEach, describe, expect, test } from 'vitest';
import { getFile } from '../../../tools/operator/files/file.ts';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { getUpload, type Upload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/** What becomes of upload URLs when things go wrong, seen through a running service and the operator's command. */

const run = await useRunningStack();
const deployment = run.deployment;
const user = await createApiUser(run);
afterEach(() => setFaults(run.stateDirectory, {}));

const put = async ({ put: send }: IssuedUrl, body: string) => (await send(body)).status;

async function stateOf(uploadId: string): Promise<Upload['state']> {
  return (await getUpload(deployment, uploadId)).state;
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
