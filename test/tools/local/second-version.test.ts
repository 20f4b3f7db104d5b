import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelUpload } from '../../../tools/operator/cancel-upload.ts';
import { getFile } from '../../../tools/operator/files.ts';
import { getUpload } from '../../../tools/operator/uploads.ts';
import { type ApiUser, createApiUser } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/**
 * What happens if S3 stops honouring `If-None-Match` in the query of an upload URL (docs/decisions/0001). Events come
 * late, twice and out of order.
 */

let stack: RunningStack;
let user: ApiUser;

beforeAll(async () => {
  stack = await startRunningStack({
    ignoresIfNoneMatch: true,
    eventChaos: { maximumDelayMilliseconds: 40, doubled: 0.5 },
  });
  user = await createApiUser(stack);
});
afterAll(() => stack?.close());

async function issue() {
  const fileId = await user.newFile();
  const { uploadId, put: send } = await user.issue(fileId);
  const put = async (body: string) => {
    const { status, headers } = await send(body);
    return { status, versionId: headers.get('x-amz-version-id') ?? '' };
  };
  return { fileId, uploadId, put };
}

/** Upload and version of each incident that the function logged as an error. */
async function incidents(): Promise<ReadonlySet<string>> {
  const folder = join(stack.stateDirectory, 'logs');
  const name = (await readdir(folder)).find((it) => /record/i.test(it)) ?? '';
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n').flatMap((line) => {
    const { level, message, upload_id, version_id } = JSON.parse(line || '{}') as Record<string, string>;
    const reported = level === 'ERROR' && message === 'Second version of an upload, it is not content';
    return reported ? [`${upload_id} ${version_id}`] : [];
  });
  return new Set(lines);
}

describe('a second PUT that S3 accepts', () => {
  test('is reported, and never becomes content, in whatever order the events come', async () => {
    const uploads = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { put, ...upload } = await issue();
        const first = await put('the first');
        // Some second uploads are empty, as a tombstone is.
        const second = await put(index % 3 === 0 ? '' : 'the second');
        expect([first.status, second.status]).toEqual([200, 200]);
        return { ...upload, first: first.versionId, second: second.versionId };
      }),
    );
    await stack.eventsSettled();
    const all = new Set(uploads.map(({ uploadId, second }) => `${uploadId} ${second}`));
    await expect.poll(incidents).toEqual(all);
    for (const { fileId, uploadId, first } of uploads) {
      expect((await getFile(stack.deployment, fileId)).content).toMatchObject({ version_id: first, size: 9 });
      expect(await getUpload(stack.deployment, uploadId)).toMatchObject({
        state: 'completed',
        version_id: first,
      });
    }
  });

  test('to a cancelled URL is reported, and the file stays without content', async () => {
    const { fileId, uploadId, put } = await issue();
    await cancelUpload(stack.deployment, uploadId);
    const { status, versionId } = await put('too late');
    expect(status).toBe(200);
    await stack.eventsSettled();
    await expect.poll(incidents).toContain(`${uploadId} ${versionId}`);
    expect((await getFile(stack.deployment, fileId)).content).toBeUndefined();
    expect((await getUpload(stack.deployment, uploadId)).state).toBe('cancelled');
  });
});
