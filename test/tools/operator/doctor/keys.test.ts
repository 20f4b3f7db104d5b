import { expect, test } from 'vitest';
import { checkSigningKeys } from '../../../../tools/operator/doctor/keys.ts';
import type { SigningKey } from '../../../../tools/operator/signing-keys/signing-key.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const next = { kid: 'two', state: 'next', signs: false, since: '2026-03-01T00:00:00.000Z' } as SigningKey;

test.for([
  ['one signs since 2026-02-28, and two is next', 'current', '2026-02-28T12:00:00.000Z'],
  ['one signs until 2026-03-01T12:05:00.000Z, and two is next', 'retired', '2026-03-01T12:05:00.000Z'],
] as const)('%s', ([message, state, since]) => {
  const signing = { kid: 'one', state, signs: true, since } as SigningKey;
  expect(checkSigningKeys([signing, next], now)).toEqual({ state: 'ok', message });
});
