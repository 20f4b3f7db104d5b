import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { createApiUser } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { startConsole, type TestConsole } from './support/serve.ts';
import { enter } from './support/visitor.ts';

/** The page of a request, on a run whose functions wrote the lines. */

let stack: RunningStack;
let console: TestConsole;

beforeAll(async () => {
  stack = await startRunningStack();
  console = await startConsole(stack.deployment);
});
afterAll(async () => {
  await console?.stop();
  await stack?.close();
});

const read = async (address: string) => (await enter(console)).get(address);

test('a request has a page that loads its story, which leads to what it names', async () => {
  const { issue, client } = await createApiUser(stack);
  const { requestId, uploadId } = await issue();
  const address = `/requests/${encodeURIComponent(requestId)}`;
  expect((await read(`${address}?since=7d`)).text).toContain(`hx-get="${address}/story?since=7d"`);
  const { text } = await read(`${address}/story`);
  expect(text).toContain(`href="/clients/${client.client_id}"`);
  expect(text).toContain(`href="/uploads/${uploadId}"`);
  expect(text).toContain('<bdi>URL asked for: from 127.0.0.1</bdi>');
});

test('a refused request has a link to what helps', async () => {
  const { sync, client } = await createApiUser(stack);
  const { file_id } = await createFile(stack.deployment, {
    organisationId: 'acme',
    name: 'Prices',
    syncEnabled: false,
  });
  const { headers } = await sync(file_id);
  const { text } = await read(`/requests/${encodeURIComponent(headers.get('apigw-requestid') ?? '')}/story`);
  expect(text).toContain(`href="/files/${file_id}/enable-sync"`);
  expect(text).toContain(`href="/clients/${client.client_id}"`);
});

test('a request that no log has leads to the uploads', async () => {
  const { text } = await read('/requests/AAAAAAAAAAAAAAA%3D/story');
  expect(text).toContain('No log has a line of the request AAAAAAAAAAAAAAA=');
  expect(text).toContain('href="/uploads?request=AAAAAAAAAAAAAAA%3D"');
});

test('a text that is no request id is refused', async () => {
  expect((await read('/requests/%22')).status).toBe(400);
});
