import type { STSClient } from '@aws-sdk/client-sts';
import { HttpResponse } from '@smithy/core/protocols';
import { formatSeconds } from '../text.ts';
import { failed, notChecked, type Outcome, ok } from './finding.ts';

/** How far this machine's clock is from that of AWS, in seconds. Positive: this machine is ahead. */
export interface ClockReading {
  readonly aheadSeconds: number;
}

/** AWS refuses signatures that are off by more than five minutes. A clock that is this far off will get there. */
const maximumSkewSeconds = 60;

/**
 * Measures the clock by the Date header of every answer of an SDK client, errors included.
 *
 * @returns a function that gives the last measurement
 */
export function measureClock(
  stack: STSClient['middlewareStack'],
  now: () => number,
): () => ClockReading | undefined {
  let reading: ClockReading | undefined;
  stack.add(
    (next) => async (args) => {
      const sentAt = now();
      const result = await next(args);
      reading = read(result.response, (sentAt + now()) / 2) ?? reading;
      return result;
    },
    // The last step before the network: the answer is not yet turned into a result or an error.
    { step: 'deserialize', priority: 'low', name: 'measureClock' },
  );
  return () => reading;
}

function read(response: unknown, answeredAt: number): ClockReading | undefined {
  const date = HttpResponse.isInstance(response) ? Date.parse(response.headers.date ?? '') : Number.NaN;
  // The header has no fraction of a second: on average, half of one is missing.
  return Number.isNaN(date) ? undefined : { aheadSeconds: (answeredAt - date - 500) / 1000 };
}

export function checkClock(reading: ClockReading | undefined): Outcome {
  if (reading === undefined) {
    return notChecked('AWS did not answer, so there is no time to compare with.');
  }
  const seconds = Math.abs(reading.aheadSeconds);
  const direction = reading.aheadSeconds > 0 ? 'ahead of' : 'behind';
  if (seconds > maximumSkewSeconds) {
    return failed(
      `The clock of this machine is ${formatSeconds(seconds)} ${direction} that of AWS.`,
      'Set it by NTP. AWS refuses signatures that are off by five minutes.',
    );
  }
  return ok(seconds < 2 ? 'as that of AWS' : `${formatSeconds(seconds)} ${direction} that of AWS`);
}
