import { expect, test } from 'vitest';
import { runRotationSoak, startSoakedStack } from './rotation-soak.ts';

/** The short form: two clients for half a minute. `npm run test:system -- rotation` has eight for 14 minutes. */
test('no request fails and every token verifies while keys and secrets change and Secrets Manager fails', async () => {
  const result = await runRotationSoak({
    start: startSoakedStack,
    clients: 2,
    pauseMilliseconds: 400,
    seconds: 12,
    // Longer than a function waits between two refreshes, so that each of them meets the outage.
    outageSeconds: 11,
    report: () => undefined,
  });
  expect(result.failed).toEqual([]);
  expect(result.notVerified).toBe(0);
  expect(result.signingKeyRotations).toBe(3);
  expect(result.clientSecretRotations).toBe(2);
  // Each old secret was tried when its grace was over; any answer but 401 is in `failed`.
  expect(result.endedSecrets).toBe(2);
  // Each rotation published a key, and none of them signed while a cached key set could lack it.
  expect(result.keysPublished).toBe(3);
  expect(result.signedTooSoon).toBe(0);
  // Every request was made in every round, and at least two rounds followed each of the eight changes.
  const { rounds, tokens, volumes, syncs, forged } = result;
  expect({ tokens, volumes, syncs, forged }).toEqual({
    tokens: 2 * rounds,
    volumes: 2 * rounds,
    syncs: 2 * rounds,
    forged: 2 * rounds,
  });
  expect(rounds).toBeGreaterThanOrEqual(16);
  // A key signed that was only the next one when the clients fetched their key sets.
  expect(result.keysThatSigned).toBe(2);
  expect(result.verifications).toBeGreaterThan(result.tokens);
  // The failure was felt: functions that had to ask went on with what they had.
  expect(result.failedRefreshes).toBeGreaterThan(0);
}, 300_000);
