import * as v from 'valibot';
import { parseInput } from '../protocols/parse-input.ts';
import { AwsError } from '../shared/errors.ts';
import { measureOf, metricStatSchema } from './metric-stat.ts';
import { type MetricStore, minute } from './metric-store.ts';

/** Creates the error for an invalid parameter. */
export const invalidInput = 'ValidationError';

/** Seconds since the epoch, the time format of the JSON protocols. */
const timeSchema = v.number();

const requestSchema = v.strictObject({
  StartTime: timeSchema,
  EndTime: timeSchema,
  MetricDataQueries: v.pipe(
    v.array(v.strictObject({ Id: v.pipe(v.string(), v.regex(/^[a-z]\w*$/)), MetricStat: metricStatSchema })),
    v.minLength(1),
  ),
});

type Request = v.InferOutput<typeof requestSchema>;
type Query = Request['MetricDataQueries'][number];

/**
 * GetMetricData (CloudWatch API reference), for queries of metrics. Expressions are not supported.
 *
 * @throws {AwsError} for a parameter that AWS rejects or that the emulator does not support
 */
export function getMetricData(input: unknown, store: Pick<MetricStore, 'find'>) {
  const request = parseInput(requestSchema, input, invalidInput);
  const { StartTime, EndTime, MetricDataQueries: queries } = request;
  if (StartTime >= EndTime) {
    throw new AwsError(400, invalidInput, 'The parameter StartTime must be less than the parameter EndTime.');
  }
  return { MetricDataResults: queries.map((query) => read(query, request, store)), Messages: [] };
}

/** Data points, newest first. The first period begins at the start time, rounded down to a minute. */
function read(query: Query, { StartTime, EndTime }: Request, store: Pick<MetricStore, 'find'>) {
  const { Metric, Period } = query.MetricStat;
  const measure = measureOf(query.MetricStat);
  const first = Math.floor((StartTime * 1000) / minute) * minute;
  const period = Period * 1000;
  const starts = Array.from(
    { length: Math.ceil((EndTime * 1000 - first) / period) },
    (_, at) => first + at * period,
  );
  const points = starts.flatMap((from) => {
    const until = Math.min(from + period, EndTime * 1000);
    const value = measure(store, { from, until });
    return value === undefined ? [] : [{ at: from / 1000, value }];
  });
  const ordered = points.toReversed();
  return {
    Id: query.Id,
    Label: Metric.MetricName,
    Timestamps: ordered.map(({ at }) => at),
    Values: ordered.map(({ value }) => value),
    StatusCode: 'Complete',
  };
}
