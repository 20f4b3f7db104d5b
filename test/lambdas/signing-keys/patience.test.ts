import { describe, expect, test } from 'vitest';
import { createPatience, isDenied } from '../../../lambdas/signing-keys/patience.ts';
import { recordingLog } from '../support/log.ts';

/** A patience whose clock stands still except during waits, and an action that fails until a given second. */
function setUp() {
  const { log, lines } = recordingLog();
  let time = Date.UTC(2026, 0, 31, 9);
  const waits: number[] = [];
  const patiently = createPatience({
    now: () => new Date(time),
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
    log,
  });
  return {
    patiently,
    waits,
    lines,
  };
}

const failure = new Error('not yet');

const fail = async () => {
  throw failure;
};

describe('the patience of a deployment', () => {
  test('waits longer and longer, up to 8 seconds, and ends after about a minute', async () => {
    const { patiently, waits } = setUp();
    await expect(patiently(fail, () => true)).rejects.toBe(failure);
    expect(waits).toEqual([1_000, 2_000, 4_000, ...Array.from({ length: 6 }, () => 8_000)]);
  });

  test('is not for a failure that does not pass, and says why it waits for another', async () => {
    const { patiently, waits, lines } = setUp();
    await expect(patiently(fail, () => false)).rejects.toBe(failure);
    expect(waits).toEqual([]);
    expect(lines).toEqual([]);
    let asked = 0;
    await expect(patiently(fail, () => ++asked === 1)).rejects.toBe(failure);
    expect(lines).toMatchObject([
      { level: 'WARN', message: 'keyOperationWaits', wait_milliseconds: 1_000, error_name: 'Error' },
    ]);
  });
});

describe('a denial', () => {
  test('is known by its name, or by what IAM says, and nothing else is one', () => {
    const named = ['AccessDenied', 'AccessDeniedException', 'KMSAccessDeniedException'].map((name) =>
      Object.assign(new Error('of AWS'), { name }),
    );
    const said = new Error('User: x is not authorized to perform: kms:Decrypt');
    expect([...named, said].filter((error) => !isDenied(error))).toEqual([]);
    const others = [failure, undefined, { name: 'AccessDenied', message: 'not authorized to perform' }];
    expect(others.filter(isDenied)).toEqual([]);
  });
});
