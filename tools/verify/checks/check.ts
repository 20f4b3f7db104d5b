import type { Outcome } from '../outcome.ts';
import type { World } from '../world.ts';

/** Something that is looked at in a deployment. */
export interface Check {
  /** Name of a part, or id of a fact in docs/aws-facts.md. `--skip` and `--only` take it. */
  readonly id: string;
  /** What a person reads while a part runs. Facts, whose page says what they are, have none. */
  readonly does?: string;
  /** Whether the service is wrong, or unsafe, where it does not hold. Otherwise it is only worth knowing. */
  readonly must: boolean;
  /** A part without which it is left out. */
  readonly needs?: 'rotation';
  readonly look: (world: World) => Promise<Outcome>;
}
