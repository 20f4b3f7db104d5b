import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { formatSeconds } from '../text.ts';
import type { AwsConfig, Deployment } from './deployment.ts';

/** A clock that is set by the `Date` headers of AWS's responses. */
export interface AwsClock {
  /** Milliseconds since the epoch. Until AWS has responded, the time of the machine. */
  readonly now: () => number;
  /** Milliseconds that the machine is ahead of AWS. Negative if the machine is behind. */
  readonly machineAhead: () => number;
  /** Sends a request, and sets the clock by its response. @param dateOf reads the `Date` header */
  readonly learnFrom: <Response>(
    send: () => Promise<Response>,
    dateOf: (response: Response) => string | null | undefined,
  ) => Promise<Response>;
}

/**
 * Creates a clock that corrects the machine's time only as far as a response proves it wrong. So a machine that is right
 * keeps its milliseconds, and a slow response changes nothing.
 *
 * @param machine the time of the machine, in milliseconds since the epoch
 */
export function createAwsClock(machine: () => number): AwsClock {
  let correction = 0;
  return {
    now: () => machine() + correction,
    machineAhead: () => -correction,
    learnFrom: async (send, dateOf) => {
      const sentAt = machine();
      const response = await send();
      const date = Date.parse(dateOf(response) ?? '');
      if (!Number.isNaN(date)) {
        // AWS wrote the header after `sentAt` and before now, without the milliseconds.
        correction = Math.min(Math.max(correction, date - machine()), date + 999 - sentAt);
      }
      return response;
    },
  };
}

const clocks = new WeakMap<AwsConfig, AwsClock>();

/** The clock that all clients of a configuration share. */
export function awsClock({ awsConfig }: Pick<Deployment, 'awsConfig'>): AwsClock {
  // biome-ignore lint/plugin: AWS's time is the time of the machine, corrected.
  const clock = clocks.get(awsConfig) ?? createAwsClock(Date.now);
  clocks.set(awsConfig, clock);
  return clock;
}

/** AWS's time, in the form of stored times. */
export function timeOf({ now }: Pick<Deployment, 'now'>): Timestamp {
  return timestamp(new Date(now()));
}

const toleratedMilliseconds = 60_000;

/** Says how far the clock of this machine is off. Undefined: at most a minute. */
export function describeSkew(deployment: Pick<Deployment, 'awsConfig'>): string | undefined {
  const ahead = awsClock(deployment).machineAhead();
  if (Math.abs(ahead) <= toleratedMilliseconds) {
    return undefined;
  }
  const length = formatSeconds(Math.abs(ahead) / 1000);
  return `The clock of this machine is ${length} ${ahead > 0 ? 'ahead of' : 'behind'} AWS. The time of AWS is used instead.`;
}
