import * as v from 'valibot';
import { AwsError } from '../shared/errors.ts';
import { type MetricStore, minute } from './metric-store.ts';
import { parseStatistic } from './statistics.ts';

/** Seconds since the epoch, as the JSON protocols write times. */
const timeSchema = v.number();

const metricSchema = v.strictObject({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
});

const requestSchema = v.strictObject({
  StartTime: timeSchema,
  EndTime: timeSchema,
  MetricDataQueries: v.pipe(
    v.array(
      v.strictObject({
        Id: v.pipe(v.string(), v.regex(/^[a-z]\w*$/)),
        MetricStat: v.strictObject({
          Metric: metricSchema,
          Period: v.pipe(v.number(), v.minValue(60), v.multipleOf(60)),
          Stat: v.string(),
          Unit: v.optional(v.string()),
        }),
      }),
    ),
    v.minLength(1),
  ),
});

type Request = v.InferOutput<typeof requestSchema>;
type Query = Request['MetricDataQueries'][number];

/**
 * GetMetricData (CloudWatch API reference), for queries of metrics. Expressions are not supported.
 *
 * @throws {AwsError} for anything that AWS would refuse, and that the emulator does not know
 */
export function getMetricData(input: unknown, store: Pick<MetricStore, 'find'>) {
  const request = parseInput(requestSchema, input);
  const { StartTime, EndTime, MetricDataQueries: queries } = request;
  if (StartTime >= EndTime) {
    throw invalid('The parameter StartTime must be less than the parameter EndTime.');
  }
  return { MetricDataResults: queries.map((query) => read(query, request, store)), Messages: [] };
}

/** @throws {AwsError} naming each parameter that is wrong, or not supported here */
export function parseInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) {
    return parsed.output;
  }
  throw invalid(parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; '));
}

/** The newest first. Data points start at the start time, rounded down to a minute. Those without data are left out. */
function read(query: Query, { StartTime, EndTime }: Request, store: Pick<MetricStore, 'find'>) {
  const { Metric, Period, Stat, Unit } = query.MetricStat;
  const statistic = parseStatistic(Stat);
  if (statistic === undefined) {
    throw invalid(`The emulator does not support the statistic ${Stat}`);
  }
  const first = Math.floor((StartTime * 1000) / minute) * minute;
  const period = Period * 1000;
  const metric = {
    namespace: Metric.Namespace,
    name: Metric.MetricName,
    dimensions: Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
    unit: Unit,
  };
  const starts = Array.from(
    { length: Math.ceil((EndTime * 1000 - first) / period) },
    (_, at) => first + at * period,
  );
  const points = starts.flatMap((from) => {
    const until = Math.min(from + period, EndTime * 1000);
    const values = store.find({ ...metric, from, until });
    return values.length === 0 ? [] : [{ at: from / 1000, value: statistic(values) }];
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

function invalid(text: string): AwsError {
  return new AwsError(400, 'ValidationError', text);
}
