import type { EventChaos } from '../../emulator/events/bus.ts';

/** Name of the environment variable that disturbs event deliveries, as in `delay=500,double=0.3`. */
export const eventChaosVariable = 'FILE_SYNC_LOCAL_EVENT_CHAOS';

/**
 * Reads how event deliveries are to be disturbed; undefined when the variable is not set.
 *
 * @param text value of the variable: the longest delay in milliseconds, and the share of deliveries that come twice
 * @throws {Error} when the text is not understood
 */
export function parseEventChaos(text: string | undefined): EventChaos | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const match = /^delay=(\d+),double=(0|1|0?\.\d+)$/.exec(text);
  if (match === null) {
    throw new Error(`${eventChaosVariable} must be delay=MILLISECONDS,double=SHARE, and not ${text}`);
  }
  return { maximumDelayMilliseconds: Number(match[1]), doubled: Number(match[2]) };
}
