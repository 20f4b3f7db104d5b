import { coldStartMeasurements } from './cold-start.ts';
import { localStart } from './local-start.ts';
import { localSyncs, localTokens } from './local-throughput.ts';
import type { Measurement } from './measurement.ts';
import { warmMeasurements } from './warm-measurements.ts';

/** All that `npm run bench` measures, in the order of its table. */
export const measurements: readonly Measurement[] = [
  ...coldStartMeasurements,
  ...warmMeasurements,
  localTokens,
  localSyncs,
  localStart,
];
