import type { TimeRange } from '../../../operator/deployment/metrics.ts';
import { toUtc } from '../../http/clock.ts';
import type { PageContext } from '../../http/environment.ts';

/** Ranges of time to choose from, until now, in hours. */
const lengths = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;

type LastLength = keyof typeof lengths;

export const lastLengths = Object.keys(lengths) as readonly LastLength[];

/** Range of time that a page shows. */
export interface ChosenRange extends TimeRange {
  /** Undefined: the range is between two chosen times. */
  readonly last: LastLength | undefined;
}

/** Returns the range in the address: `since` and `until`, or `last`. Default: the last day. */
export function rangeOf({ req, var: { clock, console } }: PageContext): ChosenRange {
  const timeOf = (name: string) => Date.parse(toUtc(req.query(name) ?? '', clock));
  const [since, until] = [timeOf('since'), timeOf('until')];
  if (since < until) {
    return { since, until, last: undefined };
  }
  const last = lastLengths.find((length) => length === req.query('last')) ?? '24h';
  const now = console.deployment.now();
  return { since: now - lengths[last] * 3_600_000, until: now, last };
}
