import { expect } from 'vitest';
import { test } from './support/test.ts';

/** docs/api.md 12.2, and what an upload URL is made of. AWS, Signature Version 4 in the query. */

test('[12.2] is signed now, for one hour', async ({ uploadUrl }) => {
  expect(uploadUrl.parameter('X-Amz-Expires')).toBe('3600');
  const date = uploadUrl.parameter('X-Amz-Date') ?? '';
  const iso = date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  // The clocks of two machines differ by a little.
  expect(Math.abs(Date.parse(iso) - Date.now())).toBeLessThan(60_000);
});

test('[9.15] binds no header but host, so that a client needs to send none', ({ uploadUrl }) => {
  expect(uploadUrl.parameter('X-Amz-SignedHeaders')).toBe('host');
});

test('[9.15] carries the condition that makes it good for one use', ({ uploadUrl }) => {
  expect(uploadUrl.parameter('If-None-Match')).toBe('*');
});

test('[9.15] carries what a signature needs, and no checksum', ({ uploadUrl }) => {
  expect(uploadUrl.parameterNames().sort()).toEqual([
    'If-None-Match',
    'X-Amz-Algorithm',
    'X-Amz-Content-Sha256',
    'X-Amz-Credential',
    'X-Amz-Date',
    'X-Amz-Expires',
    'X-Amz-Security-Token',
    'X-Amz-Signature',
    'X-Amz-SignedHeaders',
  ]);
});

test('[9.15] does not bind the content, which nobody knows yet', ({ uploadUrl }) => {
  expect(uploadUrl.parameter('X-Amz-Content-Sha256')).toBe('UNSIGNED-PAYLOAD');
});

test('[9.15] does not name the file', ({ uploadUrl, file }) => {
  expect(uploadUrl.path).not.toContain(file);
});

test('[9.15] does not name the organisation', ({ uploadUrl, organisationId }) => {
  expect(uploadUrl.path).not.toContain(organisationId);
});
