import { expect } from 'vitest';
import { test } from './support/test.ts';

/** docs/api.md 9.15 and 12.2: what an upload URL is made of. AWS, Signature Version 4 in the query. */

test('[9.15] [12.2] is signed now for one hour, without a checksum', ({ uploadUrl }) => {
  const names = uploadUrl.parameterNames().sort();
  expect(names).toEqual([
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
  expect(uploadUrl.parameter('If-None-Match')).toBe('*');
  expect(uploadUrl.parameter('X-Amz-SignedHeaders')).toBe('host');
  expect(uploadUrl.parameter('X-Amz-Content-Sha256')).toBe('UNSIGNED-PAYLOAD');
  expect(uploadUrl.parameter('X-Amz-Expires')).toBe('3600');
  const date = uploadUrl.parameter('X-Amz-Date') ?? '';
  const iso = date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
  // The clocks of two machines differ by a little.
  expect(Math.abs(Date.parse(iso) - Date.now())).toBeLessThan(60_000);
});

test('[9.15] names neither the file nor the organisation', ({ uploadUrl, file, organisationId }) => {
  expect(uploadUrl.path).not.toContain(file);
  expect(uploadUrl.path).not.toContain(organisationId);
});
