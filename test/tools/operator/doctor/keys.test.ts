import { expect, test } from 'vitest';
import { checkSigningKeys } from '../../../../tools/operator/doctor/keys.ts';
import type { SigningKey } from '../../../../tools/operator/signing-keys/signing-key.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const next = {
  kid: 'two',
  state: 'next',
  signs: false,
  since: '2026-03-01T00:00:00.000Z',
  version: 'v2',
} as SigningKey;
const keyArn = 'arn:aws:kms:us-east-1:000000000000:key/of-the-stack';
const secret = { versions: { current: 'v1', next: 'v2' }, kmsKeyId: keyArn, underWay: undefined };

test.for([
  ['one signs since 2026-02-28, and two is next', 'current', '2026-02-28T12:00:00.000Z'],
  ['one signs until 2026-03-01T12:05:00.000Z, and two is next', 'retired', '2026-03-01T12:05:00.000Z'],
] as const)('%s', ([message, state, since]) => {
  const signing = { kid: 'one', state, signs: true, since, version: 'v1' } as SigningKey;
  expect(checkSigningKeys([signing, next], secret, keyArn, now)).toEqual({ state: 'ok', message });
});

const current = { ...next, kid: 'one', state: 'current', signs: true, version: 'v1' } as SigningKey;

test.for([
  [
    'a version that nobody published',
    { current: 'v0', next: 'v2' },
    keyArn,
    /^An unknown key signs: version v0/,
  ],
  ['no version', { current: undefined, next: 'v2' }, keyArn, /^An unknown key signs: version none/],
  ['the version of the next key', { current: 'v2', next: 'v2' }, keyArn, /^An unknown key signs: version v2/],
  [
    'its own version, without NEXT',
    { current: 'v1', next: undefined },
    keyArn,
    /^The label NEXT is on version none/,
  ],
  [
    'its own version, with NEXT elsewhere',
    { current: 'v1', next: 'v3' },
    keyArn,
    /NEXT is on version v3 .* two is in/,
  ],
  [
    'a version under another KMS key',
    secret.versions,
    'alias/other',
    /^The secret .* encrypted with alias\/other, not/,
  ],
  [
    'a version under the default key',
    secret.versions,
    undefined,
    /encrypted with the default key of Secrets Manager/,
  ],
] as const)('keys are not well if AWSCURRENT is on %s', ([, versions, kmsKeyId, message]) => {
  const outcome = checkSigningKeys([current, next], { ...secret, versions, kmsKeyId }, keyArn, now);
  expect(outcome).toMatchObject({ state: 'failed', message: expect.stringMatching(message) });
});

test('keys are not well if the key set does not name their versions', () => {
  const [one, two] = [current, next].map((key) => ({ ...key, version: undefined }));
  const versions = { current: undefined, next: undefined };
  const outcome = checkSigningKeys([one, two] as SigningKey[], { ...secret, versions }, keyArn, now);
  expect(outcome.state).toBe('failed');
});

test('a rotation that is under way has not moved NEXT yet', () => {
  const rotating = { ...secret, versions: { current: 'v1', next: 'v0' }, underWay: { since: new Date(now) } };
  expect(checkSigningKeys([current, next], rotating, keyArn, now).state).toBe('ok');
});
