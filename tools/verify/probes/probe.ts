import type { Outcome } from '../world/outcome.ts';
import type { World } from '../world/world.ts';

/** Checks one fact of docs/aws-facts.md on a deployment. */
export interface Probe {
  /** Its id in docs/aws-facts.md. */
  readonly fact: string;
  /** Whether the service is wrong, or unsafe, where the fact does not hold. Otherwise it is only worth knowing. */
  readonly must: boolean;
  readonly look: (world: World) => Promise<Outcome>;
}
