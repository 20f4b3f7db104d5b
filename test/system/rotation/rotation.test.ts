import { expect, test } from 'vitest';
import { runRotationSoak } from './rotation-soak.ts';

/** The short form: two clients for half a minute. `npm run test:system -- rotation` has eight for 14 minutes. */
test('no request fails and every token verifies while keys and secrets change and Secrets Manager fails', async () => {
  const result = await runRotationSoak({
    clients: 2,
    pauseMilliseconds: 400,
    seconds: 12,
    // Longer than a function waits between two refreshes, so that each of them meets the outage.
    outageSeconds: 11,
    restarts: true,
    report: () => undefined,
  });
  expect(result.failed).toEqual([]);
  expect(result.notVerified).toBe(0);
  expect(result.endedSecrets).toBe(2);
  // Each rotation published a key, and none of them signed while a cached key set could lack it.
  expect(result.keysPublished).toBe(3);
  expect(result.signedTooSoon).toBe(0);
  // A key signed that was only the next one when the first copy of the key set was made.
  expect(result.keysThatSigned).toBe(2);
  expect(result.rounds).toBeGreaterThanOrEqual(16);
  expect(result.verifications).toBeGreaterThan(2 * result.rounds);
  // The failure was felt: functions that had to ask went on with the keys they had.
  expect(result.failedRefreshes).toBeGreaterThan(0);
}, 300_000);
