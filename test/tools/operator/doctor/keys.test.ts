import { checkSigningKeys } from '../../../../tools/operator/doctor/keys.ts';
import type { SigningKey } from '../../../../tools/operator/signing-keys/signing-key.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const key = (kid: string, state: string, since: string, version?: string) =>
  ({ kid, state, signs: state !== 'next', since, version }) as SigningKey;
const current = key('one', 'current', '2026-02-28T12:00:00.000Z', 'v1');
const next = key('two', 'next', '2026-03-01T00:00:00.000Z', 'v2');
const keyArn = 'arn:aws:kms:us-east-1:000000000000:key/of-the-stack';

type Changes = Partial<Parameters<typeof checkSigningKeys>[1]> & { readonly keys?: readonly SigningKey[] };

/** Checks the keys, with AWSCURRENT and NEXT on the given versions. */
const check = (signing: string, following: string, { keys = [current, next], ...changes }: Changes = {}) => {
  const versions = { current: signing || undefined, next: following || undefined };
  const secret = { versions, kmsKeyId: keyArn, underWay: undefined, ...changes };
  return checkSigningKeys(keys, secret, keyArn, now);
};

test.for([
  ['one signs since 2026-02-28, and two is next', current],
  [
    'one signs until 2026-03-01T12:05:00.000Z, and two is next',
    key('one', 'retired', '2026-03-01T12:05:00.000Z', 'v1'),
  ],
] as const)('%s', ([message, signing]) => {
  expect(check('v1', 'v2', { keys: [signing, next] })).toEqual({ state: 'ok', message });
});

test.for<[string, string, string, Changes, RegExp]>([
  ['a version that nobody published', 'v0', 'v2', {}, /^An unknown key signs: .*, v0\./],
  ['no version', '', 'v2', {}, /^An unknown key signs: .*, none\./],
  ['the version of the next key', 'v2', 'v2', {}, /^An unknown key signs: .*, v2\./],
  ['its own version, without NEXT', 'v1', '', {}, /^The label NEXT is on version none/],
  ['its own version, with NEXT elsewhere', 'v1', 'v3', {}, /NEXT is on version v3 .* two is in/],
  [
    'no version, as in a key set without versions',
    '',
    '',
    { keys: [key('one', 'current', current.since), key('two', 'next', next.since)] },
    /^An unknown key signs/,
  ],
  ['a version under another KMS key', 'v1', 'v2', { kmsKeyId: 'alias/x' }, /encrypted with alias\/x, not/],
  ['a version under the default key', 'v1', 'v2', { kmsKeyId: undefined }, /default key of Secrets Manager/],
])('keys are not well if AWSCURRENT is on %s', ([, signing, following, changes, message]) => {
  expect(check(signing, following, changes)).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(message),
  });
});

test('a rotation that is under way has not moved NEXT yet', () => {
  expect(check('v1', 'v0', { underWay: { since: new Date(now) } }).state).toBe('ok');
});
