import { addValue, mergeSummaries, type Summary } from './summary.ts';

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
  /** Milliseconds since the epoch; this moment does not belong to it. */
  readonly until: number;
}

/** All values of one metric in one minute or hour, as they are kept. */
export interface Bucket extends MetricIdentity {
  readonly unit: string;
  readonly span: 'minute' | 'hour';
  /** Start of the minute or hour, in milliseconds since the epoch. */
  readonly start: number;
  readonly summary: Summary;
}

export interface MetricStore {
  readonly record: RecordMetric;
  /** Everything that was recorded in the time of a query; undefined when there was nothing. */
  readonly summarize: (query: MetricQuery) => Summary | undefined;
  readonly list: () => readonly (MetricIdentity & { readonly unit: string })[];
  /** Buckets that changed since the last call. */
  readonly takeChanged: () => readonly Bucket[];
  /** Every bucket. */
  readonly buckets: () => Iterable<Bucket>;
  /** Puts a bucket in place of the one that is there. */
  readonly restore: (bucket: Bucket) => void;
  /** Joins the minutes that are old to hours, and drops the hours that are too old. */
  readonly age: (now: number) => void;
}

export const minute = 60_000;
export const hour = 60 * minute;

/**
 * How long values are kept. CloudWatch keeps minutes for 15 days, five minutes for 63 days and hours for 455 days
 * ("CloudWatch concepts", metrics retention). One machine keeps less: a week, and some time to look at it.
 */
const retention = { minutes: 24 * hour, hours: 15 * 24 * hour };

/** Most metrics. A dimension with a value for each client or file would need more, and would be costly in AWS. */
const mostMetrics = 2000;

interface Series extends MetricIdentity {
  readonly unit: string;
  readonly minutes: Map<number, Summary>;
  readonly hours: Map<number, Summary>;
}

interface StoreState {
  readonly series: Map<string, Series>;
  readonly changed: Map<Series, Set<number>>;
  readonly onTooMany: (metric: MetricIdentity) => void;
}

/** @param onTooMany hears of each value that is dropped because there are too many metrics */
export function createMetricStore(
  onTooMany: (metric: MetricIdentity) => void = () => undefined,
): MetricStore {
  const state: StoreState = { series: new Map(), changed: new Map(), onTooMany };
  return {
    record: (data) => record(state, data),
    summarize: (query) => summarize(state.series.get(keyOf(query)), query),
    list: () => [...state.series.values()],
    takeChanged: () => {
      const buckets = [...state.changed].flatMap(([series, starts]) =>
        [...starts].flatMap((start) => bucketsAt(series, start)),
      );
      state.changed.clear();
      return buckets;
    },
    buckets: function* () {
      for (const series of state.series.values()) {
        for (const [start, summary] of series.hours) {
          yield bucket(series, 'hour', start, summary);
        }
        for (const [start, summary] of series.minutes) {
          yield bucket(series, 'minute', start, summary);
        }
      }
    },
    restore: (kept) => {
      const series = findSeries(state, kept, kept.unit);
      (kept.span === 'hour' ? series?.hours : series?.minutes)?.set(kept.start, kept.summary);
    },
    age: (now) => ageAll(state, now),
  };
}

function record(state: StoreState, { values, unit, at, ...identity }: MetricData): void {
  const series = findSeries(state, identity, unit ?? 'None');
  if (series === undefined) {
    state.onTooMany(identity);
    return;
  }
  const start = Math.floor(at / minute) * minute;
  let summary = series.minutes.get(start);
  for (const value of values) {
    summary = addValue(summary, value);
  }
  if (summary !== undefined) {
    series.minutes.set(start, summary);
    const changed = state.changed.get(series) ?? new Set();
    state.changed.set(series, changed.add(start));
  }
}

function findSeries({ series }: StoreState, identity: MetricIdentity, unit: string): Series | undefined {
  const key = keyOf(identity);
  const known = series.get(key);
  if (known !== undefined || series.size >= mostMetrics) {
    return known;
  }
  const { namespace, name, dimensions } = identity;
  const made = { namespace, name, dimensions, unit, minutes: new Map(), hours: new Map() };
  series.set(key, made);
  return made;
}

/** Dimensions have no order. */
function keyOf({ namespace, name, dimensions }: MetricIdentity): string {
  const sorted = Object.entries(dimensions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([namespace, name, sorted]);
}

/** Values of another unit do not match, as in CloudWatch: they are another set of data. */
function summarize(series: Series | undefined, { unit, from, until }: MetricQuery): Summary | undefined {
  if (series === undefined || (unit !== undefined && unit !== series.unit)) {
    return undefined;
  }
  let summary: Summary | undefined;
  for (const kept of [series.hours, series.minutes]) {
    for (const [start, part] of kept) {
      if (start >= from && start < until) {
        summary = summary === undefined ? part : mergeSummaries(summary, part);
      }
    }
  }
  return summary;
}

function bucketsAt(series: Series, start: number): Bucket[] {
  const summary = series.minutes.get(start);
  return summary === undefined ? [] : [bucket(series, 'minute', start, summary)];
}

function bucket(
  { namespace, name, dimensions, unit }: Series,
  span: Bucket['span'],
  start: number,
  summary: Summary,
): Bucket {
  return { namespace, name, dimensions, unit, span, start, summary };
}

function ageAll({ series }: StoreState, now: number): void {
  for (const [key, each] of series) {
    for (const [start, summary] of each.minutes) {
      if (start < now - retention.minutes) {
        each.minutes.delete(start);
        const at = Math.floor(start / hour) * hour;
        const joined = each.hours.get(at);
        each.hours.set(at, joined === undefined ? summary : mergeSummaries(joined, summary));
      }
    }
    for (const start of each.hours.keys()) {
      if (start < now - retention.hours) {
        each.hours.delete(start);
      }
    }
    if (each.minutes.size === 0 && each.hours.size === 0) {
      series.delete(key);
    }
  }
}
