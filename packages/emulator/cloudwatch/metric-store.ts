export type Dimensions = Readonly<Record<string, string>>;

/** One metric of CloudWatch: a name in a namespace, with exactly these dimensions. */
export interface MetricIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Dimensions;
}

/** Values of a metric at one time. */
export interface MetricData extends MetricIdentity {
  readonly values: readonly number[];
  /** As CloudWatch names it. Absent: `None`. */
  readonly unit?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Takes values of metrics. */
export type RecordMetric = (data: MetricData) => void;

/** What a query asks for: the values of one metric in a stretch of time. */
export interface MetricQuery extends MetricIdentity {
  readonly unit?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Milliseconds since the epoch; this moment does not belong to the stretch. */
  readonly until: number;
}

/** All values of one metric in one minute, as the store keeps them. */
export interface Bucket extends MetricIdentity {
  readonly unit: string;
  /** Start of the minute, in milliseconds since the epoch. */
  readonly start: number;
  readonly values: readonly number[];
}

export interface MetricStore {
  readonly record: RecordMetric;
  /** Every value that was recorded in the time of a query. */
  readonly find: (query: MetricQuery) => readonly number[];
  readonly buckets: () => readonly Bucket[];
  /** Replaces the values of the bucket's metric in the bucket's minute. */
  readonly restore: (bucket: Bucket) => void;
  /** Drops the values that are too old as of a time. */
  readonly age: (now: number) => void;
}

export const minute = 60_000;

/**
 * How long the values of a minute are kept. After 15 days CloudWatch joins minutes into longer periods ("CloudWatch
 * concepts", metrics retention). Here older values are dropped.
 */
const retention = 15 * 24 * 60 * minute;

interface Series extends MetricIdentity {
  readonly unit: string;
  /** The values of each minute, by the start of the minute. */
  readonly minutes: Map<number, number[]>;
}

export function createMetricStore(): MetricStore {
  const all = new Map<string, Series>();
  const seriesOf = ({ namespace, name, dimensions }: MetricIdentity, unit: string): Series => {
    const key = keyOf({ namespace, name, dimensions });
    const series = all.get(key) ?? { namespace, name, dimensions, unit, minutes: new Map() };
    all.set(key, series);
    return series;
  };
  return {
    record: ({ values, unit = 'None', at, ...identity }) => {
      const series = seriesOf(identity, unit);
      const start = Math.floor(at / minute) * minute;
      const known = series.minutes.get(start) ?? [];
      known.push(...values);
      series.minutes.set(start, known);
    },
    find: (query) => find(all.get(keyOf(query)), query),
    buckets: () => [...all.values()].flatMap(bucketsOf),
    restore: (bucket) => void seriesOf(bucket, bucket.unit).minutes.set(bucket.start, [...bucket.values]),
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

/** Dimensions have no order. */
function keyOf({ namespace, name, dimensions }: MetricIdentity): string {
  const sorted = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, sorted]);
}

function bucketsOf({ minutes, ...identity }: Series): Bucket[] {
  return [...minutes].map(([start, values]) => ({ ...identity, start, values }));
}

/** Values of another unit do not match, as in CloudWatch: another unit is another set of data. */
function find(series: Series | undefined, { unit, from, until }: MetricQuery): readonly number[] {
  if (series === undefined || (unit !== undefined && unit !== series.unit)) {
    return [];
  }
  return [...series.minutes].flatMap(([start, values]) => (start >= from && start < until ? values : []));
}
