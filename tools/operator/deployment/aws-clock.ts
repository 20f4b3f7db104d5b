import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { formatSeconds } from '../text.ts';
import type { Deployment } from './deployment.ts';

/** The `Date` header of a response has whole seconds, and a response takes some seconds at most. */
const toleratedMilliseconds = 60_000;

/**
 * Creates the clock of a deployment. It corrects the machine's time only if that is wrong by more than a minute.
 *
 * @param measured difference to AWS, which the SDK measures by the `Date` header of each response
 */
export function awsClock(measured: { readonly systemClockOffset: number }) {
  const skew = () => {
    const { systemClockOffset } = measured;
    return Math.abs(systemClockOffset) > toleratedMilliseconds ? systemClockOffset : 0;
  };
  // biome-ignore lint/plugin: AWS's time is the time of the machine, corrected.
  return { skew, now: () => Date.now() + skew() };
}

/** Returns AWS's time, in the format of stored times. */
export function timeOf({ now }: Pick<Deployment, 'now'>): Timestamp {
  return timestamp(now());
}

/** Describes the error of this machine's clock. Returns undefined if the clock is right. */
export function describeSkew({ skew = () => 0 }: Pick<Deployment, 'skew'>): string | undefined {
  const behind = skew();
  if (behind === 0) {
    return undefined;
  }
  const length = formatSeconds(Math.abs(behind) / 1000);
  return `The clock of this machine is ${length} ${behind < 0 ? 'ahead of' : 'behind'} AWS. The time of AWS is used instead.`;
}

/**
 * Returns a function that returns true if this number of milliseconds has passed since the call. Pages and questions
 * use it to stop reading.
 */
export function timeLimit(now: () => number, milliseconds: number): () => boolean {
  const endsAt = now() + milliseconds;
  return () => now() > endsAt;
}
