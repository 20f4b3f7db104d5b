import type * as v from 'valibot';
import { parseExpression } from './metric-math.ts';
import { type MetricIdentity, type MetricStore, minute } from './metric-store.ts';
import type { alarmType } from './resource-types.ts';
import { parseStatistic, type Statistic } from './summary.ts';

/** The value that an alarm compares, in a stretch of time; undefined when there is no data. */
export type Measure = (
  store: Pick<MetricStore, 'summarize'>,
  /** Milliseconds since the epoch; `until` does not belong to it. */
  span: { readonly from: number; readonly until: number },
) => number | undefined;

type Properties = v.InferOutput<typeof alarmType.properties>;
type MetricStat = NonNullable<NonNullable<Properties['Metrics']>[number]['MetricStat']>;

/** The value of one metric. */
export function measureMetric(
  metric: MetricIdentity & { readonly unit: string | undefined },
  statistic: Statistic,
): Measure {
  return (store, span) => {
    const summary = store.summarize({ ...metric, ...span });
    return summary === undefined ? undefined : statistic(summary);
  };
}

/**
 * What an alarm measures, and over which period in milliseconds: one metric, or an expression over several.
 *
 * @throws {Error} saying what is not supported
 */
export function readMeasure(properties: Properties): { readonly measure: Measure; readonly period: number } {
  const { Metrics, MetricName, Namespace, Period, Statistic, ExtendedStatistic, Dimensions, Unit } =
    properties;
  if (Metrics !== undefined) {
    if (MetricName !== undefined || Namespace !== undefined || Period !== undefined) {
      throw new Error('an alarm has either Metrics, or MetricName, Namespace and Period');
    }
    return readMath(Metrics);
  }
  if (MetricName === undefined || Namespace === undefined || Period === undefined) {
    throw new Error('an alarm on one metric needs MetricName, Namespace and Period');
  }
  if ((Statistic === undefined) === (ExtendedStatistic === undefined)) {
    throw new Error(`the statistic ${ExtendedStatistic ?? Statistic} is not supported`);
  }
  return readMetric({
    Metric: { MetricName, Namespace, Dimensions },
    Period,
    Stat: ExtendedStatistic ?? Statistic ?? '',
    Unit,
  });
}

function readMetric({ Metric, Period, Stat, Unit }: MetricStat) {
  const statistic = parseStatistic(Stat);
  if (statistic === undefined) {
    throw new Error(`the statistic ${Stat} is not supported`);
  }
  if (Period <= 0 || (Period * 1000) % minute !== 0) {
    throw new Error(`a period of ${Period} s is not supported; it must be a number of minutes`);
  }
  const metric = {
    namespace: Metric.Namespace,
    name: Metric.MetricName,
    dimensions: Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
    unit: Unit,
  };
  return { measure: measureMetric(metric, statistic), period: Period * 1000 };
}

/** The metrics, and the one expression over them that the alarm watches. */
function readMath(queries: NonNullable<Properties['Metrics']>) {
  const metrics = new Map(
    queries.flatMap(({ Id, MetricStat }) => (MetricStat === undefined ? [] : [[Id, readMetric(MetricStat)]])),
  );
  const watched = queries.filter(({ ReturnData }) => ReturnData);
  const [{ Expression: text = undefined } = {}] = watched;
  if (watched.length !== 1 || text === undefined) {
    throw new Error('of Metrics, one expression alone must return data');
  }
  const { evaluate, ids } = parseExpression(text);
  const unknown = ids.find((id) => !metrics.has(id));
  if (unknown !== undefined) {
    throw new Error(`the expression names ${unknown}, which is not among the metrics`);
  }
  const [period, ...others] = new Set([...metrics.values()].map((metric) => metric.period));
  if (period === undefined || others.length > 0) {
    throw new Error('the metrics of an expression must have one period');
  }
  const measure: Measure = (store, span) => evaluate((id) => metrics.get(id)?.measure(store, span));
  return { measure, period };
}
