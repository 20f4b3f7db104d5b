export type Dimensions = Readonly<Record<string, string>>;

/** A CloudWatch metric: a name in a namespace, with exactly these dimensions. */
interface MetricIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

/** Values of a metric at one time. Units are not stored: no query selects values by their unit. */
export interface MetricData extends MetricIdentity {
  readonly values: readonly number[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Records values of metrics. */
export type RecordMetric = (data: MetricData) => void;

/** A query for the values of one metric in a span of time. */
export interface MetricQuery extends MetricIdentity {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Milliseconds since the epoch, exclusive. */
  readonly until: number;
}

/** All values of one metric in one minute, as stored. */
export interface Bucket extends MetricIdentity {
  /** Start of the minute, in milliseconds since the epoch. */
  readonly start: number;
  readonly values: readonly number[];
}

export interface MetricStore {
  readonly record: RecordMetric;
  /** Returns all recorded values in the time of a query. */
  readonly find: (query: MetricQuery) => readonly number[];
  readonly buckets: () => readonly Bucket[];
  /** Replaces the values of the bucket's metric in the bucket's minute. */
  readonly restore: (bucket: Bucket) => void;
  /** Drops the values that are too old as of a time. */
  readonly age: (now: number) => void;
}

export const minute = 60_000;

/**
 * Retention of the values of a minute. After 15 days CloudWatch aggregates minutes into longer periods
 * ("CloudWatch concepts", metrics retention). The emulator drops older values.
 */
const retention = 15 * 24 * 60 * minute;

interface Series extends MetricIdentity {
  /** Values of each minute, by the start of the minute. */
  readonly minutes: Map<number, number[]>;
}

export function createMetricStore(): MetricStore {
  const all = new Map<string, Series>();
  const seriesOf = ({ namespace, name, dimensions }: MetricIdentity): Series => {
    const key = keyOf({ namespace, name, dimensions });
    const series = all.get(key) ?? { namespace, name, dimensions, minutes: new Map() };
    all.set(key, series);
    return series;
  };
  return {
    record: ({ values, at, ...identity }) => {
      const series = seriesOf(identity);
      const start = Math.floor(at / minute) * minute;
      const known = series.minutes.get(start) ?? [];
      known.push(...values);
      series.minutes.set(start, known);
    },
    find: (query) => {
      const minutes = [...(all.get(keyOf(query))?.minutes ?? [])];
      return minutes.flatMap(([start, values]) => (start >= query.from && start < query.until ? values : []));
    },
    buckets: () => [...all.values()].flatMap(bucketsOf),
    restore: (bucket) => void seriesOf(bucket).minutes.set(bucket.start, [...bucket.values]),
    age: (now) => {
      for (const { minutes } of all.values()) {
        for (const start of minutes.keys()) {
          if (start < now - retention) {
            minutes.delete(start);
          }
        }
      }
    },
  };
}

/** The order of dimensions does not matter. */
function keyOf({ namespace, name, dimensions }: MetricIdentity): string {
  const sorted = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, sorted]);
}

function bucketsOf({ minutes, ...identity }: Series): Bucket[] {
  return [...minutes].map(([start, values]) => ({ ...identity, start, values }));
}
