import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelUpload } from '../../../tools/operator/cancel-upload.ts';
import { addSecret, removeSecret } from '../../../tools/operator/client-secrets.ts';
import { createClient, restoreClient, revokeClient } from '../../../tools/operator/clients.ts';
import { createFile, getFile, setSyncEnabled } from '../../../tools/operator/files.ts';
import { getUpload } from '../../../tools/operator/uploads.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/**
 * What the service promises "from now on", with a DynamoDB whose reads don't see the last write of an item unless they
 * ask for consistency.
 */

let stack: RunningStack;
beforeAll(async () => {
  stack = await startRunningStack({ eventuallyConsistent: true });
});
afterAll(() => stack?.close());

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

const newClient = () =>
  createClient(stack.deployment, { organisationId: 'acme', name: 'Test', scopes: ['sync:create'] });

const newFile = async (syncEnabled = true) =>
  (await createFile(stack.deployment, { organisationId: 'acme', name: 'f.bin', syncEnabled })).file_id;

async function requestToken({ client_id, client_secret }: Credentials) {
  const answer = await fetch(`${stack.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token: token = '' } = (await answer.json()) as { access_token?: string };
  return { status: answer.status, token };
}

async function requestSync(fileId: string, token: string) {
  const answer = await fetch(`${stack.baseUrl}/v0/files/${fileId}/sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data?: { upload_url: string } };
  return { status: answer.status, url: data?.upload_url ?? '' };
}

/** Uploads, and waits until the event has been taken or given up. */
async function upload(fileId: string, token: string, body: string): Promise<string> {
  const { url } = await requestSync(fileId, token);
  expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
  await stack.eventsSettled();
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

describe('a client', () => {
  test('gets a token as soon as it was created', async () => {
    expect((await requestToken(await newClient())).status).toBe(200);
  });

  test('gets no new token once its revocation returned, and gets one again once it was restored', async () => {
    const client = await newClient();
    await revokeClient(stack.deployment, client.client_id);
    expect((await requestToken(client)).status).toBe(401);
    await restoreClient(stack.deployment, client.client_id);
    expect((await requestToken(client)).status).toBe(200);
  });

  test('uses a secret as soon as it was added, and no more once it was removed', async () => {
    const client = await newClient();
    const { client_id } = client;
    const added = await addSecret(stack.deployment, client_id);
    expect((await requestToken({ client_id, client_secret: added.client_secret })).status).toBe(200);
    await removeSecret(stack.deployment, client_id, added.secrets.at(-1)?.secret_id ?? '');
    expect((await requestToken({ client_id, client_secret: added.client_secret })).status).toBe(401);
    expect((await requestToken(client)).status).toBe(200);
  });
});

describe('a file', () => {
  test('gets upload URLs as soon as it was created', async () => {
    const { token } = await requestToken(await newClient());
    expect((await requestSync(await newFile(), token)).status).toBe(200);
  });

  test('gets no upload URL once disabling syncing returned, and gets one again once it was enabled', async () => {
    const { token } = await requestToken(await newClient());
    const fileId = await newFile();
    await setSyncEnabled(stack.deployment, fileId, false);
    expect((await requestSync(fileId, token)).status).toBe(409);
    await setSyncEnabled(stack.deployment, fileId, true);
    expect((await requestSync(fileId, token)).status).toBe(200);
  });
});

describe('an upload', () => {
  test('is recorded although its URL was issued, and its file created, a moment ago', async () => {
    const { token } = await requestToken(await newClient());
    const fileId = await newFile();
    const uploadId = await upload(fileId, token, 'content');
    expect(await getUpload(stack.deployment, uploadId)).toMatchObject({ state: 'completed', size: 7 });
    expect(await getFile(stack.deployment, fileId)).toMatchObject({ content: { upload_id: uploadId } });
  });

  test('that follows another a moment later replaces it, and marks it as replaced', async () => {
    const { token } = await requestToken(await newClient());
    const fileId = await newFile();
    const uploads = [];
    for (const body of ['first', 'second', 'third']) {
      uploads.push(await upload(fileId, token, body));
    }
    const [first = '', second = '', third = ''] = uploads;
    const file = await getFile(stack.deployment, fileId);
    expect(file).toMatchObject({ content: { upload_id: third } });
    for (const replaced of [first, second]) {
      expect(await getUpload(stack.deployment, replaced)).toMatchObject({
        state: 'completed',
        superseded_at: expect.any(String),
      });
    }
    expect(stack.awsLog.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is cancelled although its URL was issued a moment ago, and stays so', async () => {
    const { token } = await requestToken(await newClient());
    const { url } = await requestSync(await newFile(), token);
    const uploadId = new URL(url).pathname.split('/').at(-1) ?? '';
    expect(await cancelUpload(stack.deployment, uploadId)).toMatchObject({ state: 'cancelled' });
    await stack.eventsSettled();
    expect((await fetch(url, { method: 'PUT', body: 'late' })).status).toBe(412);
    expect(await getUpload(stack.deployment, uploadId)).toMatchObject({ state: 'cancelled' });
  });
});
