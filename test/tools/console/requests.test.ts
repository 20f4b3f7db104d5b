import { expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { linksIn } from './support/read-page.ts';
import { startConsole } from './support/serve.ts';
import { enter } from './support/visitor.ts';

/** Tests the page of a request, with log lines that the functions of a running stack wrote. */

const stack = await useRunningStack();
const console = await startConsole(stack.deployment);

const read = async (address: string) => (await enter(console)).get(address);
const pageOf = (requestId: string) => `/requests/${encodeURIComponent(requestId)}`;

test('the timeline of a request links to its entities', async () => {
  const { issue, client } = await createApiUser(stack);
  const { requestId, uploadId } = await issue();
  const { text } = await read(`${pageOf(requestId)}?part=timeline`);
  expect(linksIn(text)).toEqual(
    expect.arrayContaining([`/clients/${client.client_id}`, `/uploads/${uploadId}`]),
  );
  expect(text).toContain('URL issued');
});

test('the timeline of a rejected request links to the next step', async () => {
  const { sync } = await createApiUser(stack);
  const { file_id } = await createFile(stack.deployment, {
    organisationId: 'acme',
    name: 'Prices',
    syncEnabled: false,
  });
  const { headers } = await sync(file_id);
  const { text } = await read(`${pageOf(headers.get('apigw-requestid') ?? '')}?part=timeline`);
  expect(linksIn(text)).toContain(`/files/${file_id}/enable-sync`);
});
