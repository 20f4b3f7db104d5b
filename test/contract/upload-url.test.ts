import { test } from './support/test.ts';

/** docs/api.md 9.15 and 12.2: parts of an upload URL. `test/lambdas/sync` covers every parameter. */

test('[9.15] [12.2] binds no header but Host and no content, for one hour', ({ uploadUrl }) => {
  const names = ['X-Amz-SignedHeaders', 'X-Amz-Content-Sha256', 'X-Amz-Expires'];
  const values = names.map((name) => uploadUrl.parameter(name));
  expect(values).toEqual(['host', 'UNSIGNED-PAYLOAD', '3600']);
});

test('[9.18] has a length that clients can take', ({ uploadUrl }) => {
  expect(uploadUrl.reveal().length).toBeLessThan(8_000);
});

test('[9.15] names neither the file nor the organisation', ({ uploadUrl, file, organisationId }) => {
  expect(uploadUrl.path).not.toContain(file);
  expect(uploadUrl.path).not.toContain(organisationId);
});
