import * as v from 'valibot';
import { AwsError } from '../shared/errors.ts';
import { type MetricStore, minute } from './metric-store.ts';
import { parseStatistic, type Statistic } from './summary.ts';

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
  ScanBy: v.optional(v.picklist(['TimestampDescending', 'TimestampAscending']), 'TimestampDescending'),
  MetricDataQueries: v.pipe(
    v.array(
      v.strictObject({
        Id: v.pipe(v.string(), v.regex(/^[a-z]\w*$/)),
        Label: v.optional(v.string()),
        ReturnData: v.optional(v.boolean(), true),
        MetricStat: v.strictObject({
          Metric: metricSchema,
          Period: v.pipe(v.number(), v.minValue(60), v.multipleOf(60)),
          Stat: v.string(),
          Unit: v.optional(v.string()),
        }),
      }),
    ),
    v.minLength(1),
    v.maxLength(500),
  ),
});

type Request = v.InferOutput<typeof requestSchema>;
type Query = Request['MetricDataQueries'][number];

/** Most data points of one answer. AWS sends more with a NextToken, which the emulator does not do. */
const mostDataPoints = 100_800;

/**
 * GetMetricData (CloudWatch API reference), for queries of metrics. Expressions are not supported.
 *
 * @throws {AwsError} for anything that AWS would refuse, and that the emulator does not know
 */
export function getMetricData(input: unknown, store: Pick<MetricStore, 'summarize'>) {
  const parsed = v.safeParse(requestSchema, input);
  if (!parsed.success) {
    throw invalid(parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('; '));
  }
  const request = parsed.output;
  const queries = request.MetricDataQueries;
  requireSense(request);
  const shown = queries.filter(({ ReturnData }) => ReturnData);
  return { MetricDataResults: shown.map((query) => read(query, request, store)), Messages: [] };
}

function requireSense({ StartTime, EndTime, MetricDataQueries: queries }: Request): void {
  if (StartTime >= EndTime) {
    throw invalid('The parameter StartTime must be less than the parameter EndTime.');
  }
  if (new Set(queries.map(({ Id }) => Id)).size < queries.length) {
    throw invalid('The values for parameter id in MetricDataQueries are not unique.');
  }
  const points = queries.map(({ MetricStat }) => Math.ceil((EndTime - StartTime) / MetricStat.Period));
  if (points.reduce((sum, count) => sum + count, 0) > mostDataPoints) {
    throw invalid(`The emulator answers with at most ${mostDataPoints} data points. Ask for fewer.`);
  }
}

/** Data points start at the start time, rounded down to a minute. Those without data are left out. */
function read(query: Query, { StartTime, EndTime, ScanBy }: Request, store: Pick<MetricStore, 'summarize'>) {
  const { Metric, Period, Stat, Unit } = query.MetricStat;
  const statistic = requireStatistic(Stat);
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
    const summary = store.summarize({ ...metric, from, until });
    return summary === undefined ? [] : [{ at: from / 1000, value: statistic(summary) }];
  });
  const ordered = ScanBy === 'TimestampAscending' ? points : points.toReversed();
  return {
    Id: query.Id,
    Label: query.Label ?? Metric.MetricName,
    Timestamps: ordered.map(({ at }) => at),
    Values: ordered.map(({ value }) => value),
    StatusCode: 'Complete',
  };
}

function requireStatistic(name: string): Statistic {
  const statistic = parseStatistic(name);
  if (statistic === undefined) {
    throw invalid(`The emulator does not support the statistic ${name}`);
  }
  return statistic;
}

function invalid(text: string): AwsError {
  return new AwsError(400, 'ValidationError', text);
}
