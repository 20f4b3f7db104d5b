import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { formatSeconds } from '../text.ts';
import type { AwsConfig, Deployment } from './deployment.ts';

/**
 * Creates a clock that follows the `Date` headers of AWS responses. It corrects the machine's time only as far as a
 * response proves it wrong. A correct machine keeps its milliseconds, and a slow response does not change the clock.
 *
 * @param machine time of the machine, in milliseconds since the epoch
 */
export function createAwsClock(machine: () => number) {
  let correction = 0;
  return {
    /** Milliseconds since the epoch. Equals the machine's time until AWS responds. */
    now: () => machine() + correction,
    /** Milliseconds that the machine is ahead of AWS. Negative if the machine is behind. */
    machineAhead: () => -correction,
    /**
     * Sends a request, and sets the clock from its response.
     *
     * @param dateOf function that returns the `Date` header
     */
    correctWith: async <Response>(
      send: () => Promise<Response>,
      dateOf: (response: Response) => string | null | undefined,
    ) => {
      const sentAt = machine();
      const response = await send();
      const date = Date.parse(dateOf(response) ?? '');
      if (!Number.isNaN(date)) {
        // AWS wrote the header between `sentAt` and now, rounded down to a second.
        correction = Math.min(Math.max(correction, date - machine()), date + 999 - sentAt);
      }
      return response;
    },
  };
}

const clocks = new WeakMap<AwsConfig, ReturnType<typeof createAwsClock>>();

/** Returns the clock that all clients of a configuration share. */
export function awsClock({ awsConfig }: Pick<Deployment, 'awsConfig'>) {
  // biome-ignore lint/plugin: AWS's time is the time of the machine, corrected.
  const clock = clocks.get(awsConfig) ?? createAwsClock(Date.now);
  clocks.set(awsConfig, clock);
  return clock;
}

/** Returns AWS's time, in the format of stored times. */
export function timeOf({ now }: Pick<Deployment, 'now'>): Timestamp {
  return timestamp(now());
}

const toleratedMilliseconds = 60_000;

/** Describes the error of this machine's clock. Returns undefined if it is at most a minute. */
export function describeSkew(deployment: Pick<Deployment, 'awsConfig'>): string | undefined {
  const ahead = awsClock(deployment).machineAhead();
  if (Math.abs(ahead) <= toleratedMilliseconds) {
    return undefined;
  }
  const length = formatSeconds(Math.abs(ahead) / 1000);
  return `The clock of this machine is ${length} ${ahead > 0 ? 'ahead of' : 'behind'} AWS. The time of AWS is used instead.`;
}

/**
 * Returns a function that returns true if this number of milliseconds has passed since the call. Pages and questions
 * use it to stop reading.
 */
export function timeLimit(now: () => number, milliseconds: number): () => boolean {
  const endsAt = now() + milliseconds;
  return () => now() > endsAt;
}
