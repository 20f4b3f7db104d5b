import { expect, test } from 'vitest';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { createApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/**
 * Tests an S3 that accepts a second PUT, which it should never do. The version recorded first stays the
 * content for all readers.
 */

const stack = await useRunningStack({ ignoresIfNoneMatch: true });
const user = await createApiUser(stack);
const fileId = await user.newFile();
const { uploadId, url, put } = await user.issue(fileId);
await put('first');
await stack.eventsSettled();
const recorded = await getUpload(stack.deployment, uploadId);
const form = { 'content-type': 'multipart/form-data; boundary=x' };
expect((await fetch(url, { method: 'PUT', body: 'another', headers: form })).status).toBe(200);
await stack.eventsSettled();
const run = adminOf(stack.deployment);

test('the record of the upload stays', async () => {
  expect(recorded).toMatchObject({ state: 'completed', size: 'first'.length });
  expect(await getUpload(stack.deployment, uploadId)).toEqual(recorded);
});

test('the command downloads the recorded version', async () => {
  expect(await run('file', 'download', fileId, '--output', '-')).toMatchObject({ code: 0, stdout: 'first' });
});

test('the file is described by the recorded version, which is no form', async () => {
  const shown = await run('file', 'show', fileId);
  expect(shown).toMatchObject({ code: 0, stderr: expect.not.stringContaining('form') });
});
