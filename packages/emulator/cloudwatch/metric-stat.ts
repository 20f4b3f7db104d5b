import * as v from 'valibot';
import type { Measure } from './evaluate-alarm.ts';
import { parseStatistic } from './statistics.ts';

/** A metric with a statistic, in the template's alarms and in calls of GetMetricData. */
export const metricStatSchema = v.strictObject({
  Metric: v.strictObject({
    Dimensions: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
    MetricName: v.string(),
    Namespace: v.string(),
  }),
  /** Seconds. */
  Period: v.pipe(v.number(), v.minValue(60), v.multipleOf(60)),
  Stat: v.pipe(
    v.string(),
    v.check(
      (name) => parseStatistic(name) !== undefined,
      ({ input }) => `The emulator does not support the statistic ${input}`,
    ),
  ),
});

type MetricStat = v.InferOutput<typeof metricStatSchema>;

/** Reads a statistic of a metric. */
export function measureOf({ Metric, Stat }: MetricStat): Measure {
  const identity = {
    namespace: Metric.Namespace,
    name: Metric.MetricName,
    dimensions: Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
  };
  return (store, span) => {
    const values = store.find({ ...identity, ...span });
    return values.length === 0 ? undefined : parseStatistic(Stat)?.(values);
  };
}
