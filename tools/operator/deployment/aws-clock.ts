import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { counted, formatSeconds } from '../text.ts';
import type { AwsConfig, Deployment } from './deployment.ts';

/** The time of AWS, which the `Date` headers of its responses tell. */
export interface AwsClock {
  /** Milliseconds since the epoch. Until AWS has responded, the time of the machine. */
  readonly now: () => number;
  /** Milliseconds that the machine is ahead of AWS. Negative if the machine is behind. */
  readonly machineAhead: () => number;
  /** Sends a request, and learns the time from its response. @param dateOf reads the `Date` header */
  readonly learnFrom: <Response>(
    send: () => Promise<Response>,
    dateOf: (response: Response) => string | null | undefined,
  ) => Promise<Response>;
}

/**
 * Creates a clock that corrects the machine as little as the responses allow. So a machine that is right keeps its
 * milliseconds, and a slow response changes nothing.
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
        // AWS wrote the header between the two times of the machine. The header leaves out the milliseconds.
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

const tellsFromMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** Says how far the clock of this machine is off. Undefined: at most a minute. */
export function describeSkew(deployment: Pick<Deployment, 'awsConfig'>): string | undefined {
  const ahead = awsClock(deployment).machineAhead();
  const length = Math.abs(ahead);
  if (length <= tellsFromMilliseconds) {
    return undefined;
  }
  const text =
    length < 2 * dayMilliseconds
      ? formatSeconds(length / 1000)
      : counted(Math.round(length / dayMilliseconds), 'day');
  return `The clock of this machine is ${text} ${ahead > 0 ? 'ahead of' : 'behind'} AWS. The time of AWS is used instead.`;
}
