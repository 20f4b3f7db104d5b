import { expect, test } from 'vitest';
import { isUnreachable, reasonOf } from '../../../tools/operator/errors.ts';

const withCode = (code: unknown, message = '') => Object.assign(new Error(message), { code });

test.for<readonly [string, unknown, string]>([
  ['a known code', withCode('ENOSPC', 'x'), 'no space is left (ENOSPC)'],
  ['another code', withCode('EMFILE', 'too many'), 'too many'],
  ['another code and no text', withCode('EMFILE'), 'EMFILE'],
  ['a number for a code', withCode(5, 'five'), 'five'],
  ['no code', new Error('plain'), 'plain'],
  [
    'a cause',
    new TypeError('fetch failed', { cause: withCode('EIO') }),
    'the device reported an error (EIO)',
  ],
  ['text alone', 'thrown text', 'thrown text'],
])('the reason of an error with %s', ([, error, reason]) => expect(reasonOf(error)).toBe(reason));

test.for([
  ['EAI_AGAIN', true],
  ['ENOTFOUND', true],
  ['CERT_HAS_EXPIRED', false],
  [undefined, false],
] as const)('after %s, the other side was not reached: %s', ([code, unreachable]) => {
  expect(isUnreachable(withCode(code))).toBe(unreachable);
});
