import { expect } from 'vitest';
import { withOwnFile } from './support/own-file.ts';
import { requestSync, requestUploadUrl } from './support/sync-request.ts';
import { api, test } from './support/test.ts';

/** docs/api.md 8.12: what the operator changes after a URL was issued. */

test('[8.12] takes the PUT of a URL that was issued before syncing was switched off', async ({
  operator,
  token,
  organisationId,
}) => {
  await withOwnFile(operator, organisationId, 'switched-off', async ({ fileId, switchOff }) => {
    const uploadUrl = await requestUploadUrl(api, token, fileId);
    await switchOff();
    expect((await requestSync(api, token, fileId)).status).toBe(409);
    expect((await uploadUrl.put('issued before')).status).toBe(200);
  });
});
