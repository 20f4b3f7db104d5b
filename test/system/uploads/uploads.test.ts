import { expect, test } from 'vitest';
import { runUploadsSoak } from './uploads-soak.ts';

/** The short form; `npm run test:system -- uploads` has a thousand larger uploads and five kills. */
test('every upload that was stored is recorded with its bytes and announced, through lost events and kill -9', async () => {
  const result = await runUploadsSoak({
    uploads: 40,
    clients: 4,
    files: 6,
    kills: 1,
    largestUpload: 256 * 1024,
    abandonedShare: 0.2,
    doubledShare: 0.3,
    droppedShare: 0.2,
    seed: 7,
    report: () => undefined,
  });
  expect(result.violations).toEqual([]);
  expect(result.kills).toBe(1);
  expect(result.answered200 + result.storedBeforeKill).toBe(result.completed);
  expect(result.abandoned).toBeGreaterThan(0);
  expect(result.foundUnused).toBeGreaterThanOrEqual(result.abandoned);
  expect(result.reconciled).toBeGreaterThan(0);
  expect(result.filesWithContent).toBe(6);
}, 180_000);
