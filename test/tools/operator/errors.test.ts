import { describe, expect, test } from 'vitest';
import { isTransient, isUnreachable, reasonOf } from '../../../tools/operator/errors.ts';

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

describe('whether another attempt may help, and whether the other side was reached', () => {
  test.for([
    ['ECONNREFUSED', true, true],
    ['EAI_AGAIN', true, true],
    ['ENOTFOUND', false, true],
    ['CERT_HAS_EXPIRED', false, false],
    [undefined, false, false],
  ] as const)('after %s', ([code, transient, unreachable]) => {
    const error = withCode(code);
    expect([isTransient(error), isUnreachable(error)]).toEqual([transient, unreachable]);
  });
});
