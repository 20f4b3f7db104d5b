import type { Outcome } from '../world/outcome.ts';
import type { World } from '../world/world.ts';

/** The parts of a run that `--skip` and `--only` name. `facts` are the probes. */
export const partNames = [
  'latency',
  'contract',
  'upload-url',
  'cancel',
  'events',
  'schedule',
  'rotation',
  'facts',
  'revocation',
] as const;

export type PartName = (typeof partNames)[number];

/** An outcome, with lines of Markdown for the report. */
export interface CheckOutcome extends Outcome {
  readonly details?: readonly string[];
}

/** Something that must work in a deployment, beside the facts about AWS. */
export interface Check {
  readonly name: Exclude<PartName, 'facts'>;
  /** What a person reads while it runs: `send every request of …`. */
  readonly does: string;
  readonly look: (world: World) => Promise<CheckOutcome>;
}
