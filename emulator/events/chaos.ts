/** How deliveries are disturbed, to show that what listens can bear it. */
export interface EventChaos {
  /** Each delivery waits a random time up to this, in milliseconds, which also shuffles them. */
  readonly maximumDelay: number;
  /** Share of the deliveries that come twice, from 0 to 1. */
  readonly doubled: number;
}

/** Name of the environment variable that turns disturbance on, as in `delay=500,double=0.3`. */
export const eventChaosVariable = 'FILE_SYNC_LOCAL_EVENT_CHAOS';

/**
 * Reads the disturbance from its variable; undefined when it is not set.
 *
 * @throws {Error} when the text is not understood
 */
export function parseEventChaos(text: string | undefined): EventChaos | undefined {
  if (text === undefined || text === '') return undefined;
  const match = /^delay=(\d+),double=(0|1|0?\.\d+)$/.exec(text);
  if (match === null) {
    throw new Error(`${eventChaosVariable} must read delay=MILLISECONDS,double=SHARE and not ${text}`);
  }
  return { maximumDelay: Number(match[1]), doubled: Number(match[2]) };
}
