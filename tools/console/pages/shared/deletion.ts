import type { WorkOptions } from '../../../operator/close-uploads.ts';
import type { CountOptions } from '../../../operator/deletion.ts';
import { counted, formatSeconds } from '../../../operator/text.ts';
import type { ConsoleContext } from '../../http/environment.ts';

/** A page that asks for a confirmation must not wait until a million uploads are counted. */
const maximumCountMilliseconds = 2000;

/** How a page counts what a deletion would remove. */
export function countOptions({ now }: ConsoleContext): CountOptions {
  const endsAt = now() + maximumCountMilliseconds;
  return { now: now(), progress: () => undefined, isTimeUp: () => now() > endsAt };
}

/** How work on many uploads tells how far it is. `what` says what is done to each: `deleted`. */
export function jobOptions(
  { now, sleep }: ConsoleContext,
  report: (progress: string) => void,
  what: string,
): WorkOptions {
  return {
    progress: (done) => report(`${counted(done, 'upload')} ${what} so far.`),
    waiting: (milliseconds) =>
      report(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
    sleep,
    now,
  };
}
