import { setTimeout as wait } from 'node:timers/promises';

/** Work in the background calls this between two of its turns. @throws when the work is to end */
export type GiveWay = () => Promise<void>;

/** So many milliseconds of work are one turn. A rest after less would be mostly waiting for timers. */
const turnMilliseconds = 5;

/** The work rests four times as long as it worked, so it uses a fifth of one core at the most. */
const restShare = 4;

/** A clock that was set must not stop the work. */
const longestRestMilliseconds = 1000;

/**
 * Makes work in the background rest, so that requests come first.
 *
 * @param now milliseconds since the epoch
 * @param signal ends the work
 */
export function createGiveWay(now: () => number, signal: AbortSignal): GiveWay {
  let workedSince = now();
  return async () => {
    signal.throwIfAborted();
    const worked = now() - workedSince;
    if (worked >= turnMilliseconds) {
      await wait(Math.min(worked * restShare, longestRestMilliseconds), undefined, { signal, ref: false });
      workedSince = now();
    }
  };
}
