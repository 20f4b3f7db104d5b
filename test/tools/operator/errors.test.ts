import { isUnreachable, reasonOf } from '../../../tools/operator/errors.ts';

const withCode = (code: unknown, message = '') => Object.assign(new Error(message), { code });

test.for<readonly [string, unknown, string]>([
  ['a known code', withCode('ENOSPC', 'x'), 'no space left on device (ENOSPC)'],
  ['another code', withCode('CERT_HAS_EXPIRED', 'expired'), 'expired'],
  ['another code and no text', withCode('CERT_HAS_EXPIRED'), 'CERT_HAS_EXPIRED'],
  ['a number for a code', withCode(5, 'five'), 'five'],
  ['no code', new Error('plain'), 'plain'],
  ['a cause', new TypeError('fetch failed', { cause: withCode('EIO') }), 'i/o error (EIO)'],
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
