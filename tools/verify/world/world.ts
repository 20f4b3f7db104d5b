import type { EventsSeen } from './observe-events.ts';
import type { RotationSeen } from './observe-rotation.ts';
import type { Reach } from './reach.ts';

/** The deployment that is verified, as the probes see it. Tests replace its members by others. */
export interface World extends Reach {
  /** Several uploads, and what became of their events. Observed once for all probes. */
  readonly events: () => Promise<EventsSeen>;
  /** A rotation, and the labels before and after. Made once for all probes. */
  readonly rotation: () => Promise<RotationSeen>;
}
