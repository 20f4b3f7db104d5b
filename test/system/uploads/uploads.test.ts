import { expect, test } from 'vitest';
import { report, sizesOf, soakTimeout } from '../soak.ts';
import { runUploadsSoak } from './uploads-soak.ts';

const sizes = sizesOf(
  { uploads: 40, clients: 4, kills: 1, seed: 7 },
  { uploads: 1000, clients: 16, kills: 5, seed: Date.now() % 1_000_000 },
);

test(
  // Covers lost and doubled events, and kill -9.
  'every upload that was stored is recorded and announced',
  async () => {
    const result = await runUploadsSoak(sizes);
    report(JSON.stringify(result));
    expect(result.kills).toBe(sizes.kills);
    expect(result.abandoned).toBeGreaterThan(0);
    expect(result.foundUnused).toBeGreaterThanOrEqual(result.abandoned);
    expect(result.reconciled).toBeGreaterThan(0);
  },
  soakTimeout,
);
