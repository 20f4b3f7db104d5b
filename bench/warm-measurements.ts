import type { Measurement } from './measurement.ts';

export const warmMeasurements: readonly Measurement[] = [];
