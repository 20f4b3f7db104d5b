import { expect, test } from 'vitest';
import { report, sizesOf, soakTimeout } from '../soak.ts';
import { runUploadsSoak } from './uploads-soak.ts';

const sizes = sizesOf(
  {
    uploads: 40,
    clients: 4,
    files: 6,
    kills: 1,
    largestUpload: 256 * 1024,
    abandonedShare: 0.2,
    doubledShare: 0.3,
    droppedShare: 0.2,
    seed: 7,
  },
  {
    uploads: 1000,
    clients: 16,
    files: 24,
    kills: 5,
    largestUpload: 1024 * 1024,
    abandonedShare: 0.1,
    doubledShare: 0.01,
    droppedShare: 0.01,
    seed: Date.now() % 1_000_000,
  },
);

test(
  // Covers lost and doubled events, and kill -9.
  'every upload that was stored is recorded and announced',
  async () => {
    const result = await runUploadsSoak(sizes);
    report(JSON.stringify(result));
    expect(result.violations).toEqual([]);
    expect(result.kills).toBe(sizes.kills);
    expect(result.abandoned).toBeGreaterThan(0);
    expect(result.foundUnused).toBeGreaterThanOrEqual(result.abandoned);
    expect(result.reconciled).toBeGreaterThan(0);
  },
  soakTimeout,
);
