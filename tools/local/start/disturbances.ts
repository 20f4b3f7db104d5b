import type { EventChaos } from 'cloud-assembly-emulator';

/**
 * Name of the environment variable that disturbs the deliveries of events: `delay=1500,double=0.3,drop=0.01` for at most
 * 1.5 s, three in ten twice, and one in a hundred never.
 */
export const eventChaosVariable = 'FILE_SYNC_LOCAL_EVENT_CHAOS';

/** @throws {Error} when the text is not understood */
export function parseEventChaos(text = ''): EventChaos | undefined {
  if (text === '') {
    return undefined;
  }
  const match = /^delay=(\d+),double=(0|1|0?\.\d+)(?:,drop=(0|1|0?\.\d+))?$/.exec(text);
  if (match === null) {
    throw new Error(
      `${eventChaosVariable} must be delay=MILLISECONDS,double=SHARE or delay=MILLISECONDS,double=SHARE,drop=SHARE, ` +
        `where a SHARE is a number from 0 to 1, and not ${text}`,
    );
  }
  const [maximumDelayMilliseconds = 0, doubled = 0, dropped = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return { maximumDelayMilliseconds, doubled, dropped };
}

/** Name of the environment variable that, set to `true`, makes reads of DynamoDB as outdated as AWS allows. */
export const eventuallyConsistentVariable = 'FILE_SYNC_LOCAL_EVENTUALLY_CONSISTENT';
