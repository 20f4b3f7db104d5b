import { expect, test } from 'vitest';
import { report, sizesOf, soakTimeout } from '../soak.ts';
import { runRotationSoak } from './rotation-soak.ts';

const sizes = sizesOf(
  // The outage is longer than the interval between two refreshes of a function, so it affects all functions.
  { clients: 2, pauseMilliseconds: 400, seconds: 12, outageSeconds: 11 },
  // The key that the first rotation publishes may sign after eleven minutes, which leaves time for a second
  // rotation.
  { clients: 8, pauseMilliseconds: 250, seconds: 14 * 60, outageSeconds: 20 },
);

test(
  // Secrets Manager also fails for a while.
  'no request fails while keys and secrets change',
  async () => {
    const result = await runRotationSoak(sizes);
    report(JSON.stringify(result));
    expect(result.failed).toEqual([]);
    expect(result.notVerified).toBe(0);
    // One of the signing keys was still the next key when the first copy of the key set was fetched.
    expect(result.keysThatSigned).toBeGreaterThanOrEqual(2);
    expect(result.verifications).toBeGreaterThan(50);
    // The failure had an effect: functions that had to refresh their keys continued with the cached ones.
    expect(result.failedRefreshes).toBeGreaterThan(0);
  },
  soakTimeout,
);
