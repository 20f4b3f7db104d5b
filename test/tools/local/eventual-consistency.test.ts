import { describe, expect, test } from 'vitest';
import { reinstateClient, revokeClient } from '../../../tools/operator/clients/client.ts';
import { addSecret, removeSecret } from '../../../tools/operator/clients/secrets.ts';
import { getFile, setSyncEnabled } from '../../../tools/operator/files/file.ts';
import { cancelUpload } from '../../../tools/operator/uploads/cancel.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { type ApiUser, createApiUser } from '../../support/api-user.ts';
import { fetchToken } from '../../support/fetch-token.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/**
 * What the service promises "from now on", with a DynamoDB whose reads don't see the last write of an item unless they
 * ask for consistency.
 */

const stack = await useRunningStack({ eventuallyConsistent: true });

/** Uploads, and waits until the event has been taken or given up. */
async function upload({ issue }: ApiUser, fileId: string, body: string): Promise<string> {
  const { uploadId, put } = await issue(fileId);
  expect((await put(body)).status).toBe(200);
  await stack.eventsSettled();
  return uploadId;
}

describe('a client', () => {
  test('gets no new token once its revocation returned, and gets one again once it was restored', async () => {
    const { client, requestToken } = await createApiUser(stack);
    await revokeClient(stack.deployment, client.client_id);
    expect((await requestToken()).status).toBe(401);
    await reinstateClient(stack.deployment, client.client_id);
    expect((await requestToken()).status).toBe(200);
  });

  test('uses a secret as soon as it was added, and no more once it was removed', async () => {
    const { client, requestToken } = await createApiUser(stack);
    const { client_id: clientId } = client;
    const { client_secret: clientSecret, secrets } = await addSecret(stack.deployment, clientId);
    await fetchToken(stack.baseUrl, { clientId, clientSecret });
    await removeSecret(stack.deployment, clientId, secrets.at(-1)?.secret_id ?? '');
    await expect(fetchToken(stack.baseUrl, { clientId, clientSecret })).rejects.toThrow('401');
    expect((await requestToken()).status).toBe(200);
  });
});

test('a file gets no upload URL once disabling syncing returned, and gets one again once it was enabled', async () => {
  const { newFile, sync } = await createApiUser(stack);
  const fileId = await newFile();
  expect((await sync(fileId)).status).toBe(200);
  await setSyncEnabled(stack.deployment, fileId, false);
  expect((await sync(fileId)).status).toBe(409);
  await setSyncEnabled(stack.deployment, fileId, true);
  expect((await sync(fileId)).status).toBe(200);
});

describe('an upload', () => {
  test('that follows another a moment later replaces it, and marks it as replaced', async () => {
    const user = await createApiUser(stack);
    const fileId = await user.newFile();
    const uploads = [];
    for (const body of ['first', 'second', 'third']) {
      uploads.push(await upload(user, fileId, body));
    }
    const [first = '', second = '', third = ''] = uploads;
    expect(await getFile(stack.deployment, fileId)).toMatchObject({ content: { upload_id: third, size: 5 } });
    for (const replaced of [first, second]) {
      expect(await getUpload(stack.deployment, replaced)).toMatchObject({
        state: 'completed',
        superseded_at: expect.any(String),
      });
    }
    expect(stack.awsLog.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is cancelled although its URL was issued a moment ago, and stays so', async () => {
    const { issue } = await createApiUser(stack);
    const { uploadId, put } = await issue();
    expect(await cancelUpload(stack.deployment, uploadId)).toMatchObject({ state: 'cancelled' });
    await stack.eventsSettled();
    expect((await put('late')).status).toBe(412);
    expect(await getUpload(stack.deployment, uploadId)).toMatchObject({ state: 'cancelled' });
  });
});
