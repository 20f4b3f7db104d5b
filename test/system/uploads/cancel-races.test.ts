import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser, type IssuedUrl } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

const run = await useRunningStack();
const deployment = run.deployment;
const user = await createApiUser(run);

const put = async ({ put: send }: IssuedUrl, body: string) => (await send(body)).status;

/** `CANCEL_RACES=500 npx vitest run test/system/uploads/cancel-races` runs more races. */
const races = Number(process.env.CANCEL_RACES ?? 24);

/** In milliseconds. */
async function timeOfCancel(fileId: string): Promise<number> {
  await cancelUpload(deployment, (await user.issue(fileId)).uploadId);
  const { uploadId } = await user.issue(fileId);
  const startedAt = performance.now();
  await cancelUpload(deployment, uploadId);
  return performance.now() - startedAt;
}

const raceFile = await user.newFile();
// One begins before the other, by up to half of the duration of a cancel.
const span = await timeOfCancel(raceFile);
const wins = { upload: 0, cancel: 0 };

test.for(Array.from({ length: races }, (_, round) => round))(
  'either a cancel or an upload at the same moment wins: round %i',
  async (round) => {
    const issued = await user.issue(raceFile);
    const lead = span * ((round % 24) / 24 - 0.5);
    const [status, cancelled] = await Promise.all([
      delay(Math.max(0, lead)).then(() => put(issued, 'x'.repeat(1 + 10_000 * (round % 3)))),
      delay(Math.max(0, -lead))
        .then(() => cancelUpload(deployment, issued.uploadId))
        .then(
          ({ state }) => state === 'cancelled',
          () => false,
        ),
    ]);

    expect(cancelled ? [409, 412] : [200]).toContain(status);
    await expect
      .poll(() => getUpload(deployment, issued.uploadId))
      .toMatchObject({ state: cancelled ? 'cancelled' : 'completed' });
    expect(await put(issued, 'again')).toBe(412);
    wins[cancelled ? 'cancel' : 'upload'] += 1;
  },
);

test('a cancel and an upload each won a race', () => {
  expect(Math.min(wins.cancel, wins.upload)).toBeGreaterThan(0);
});
