import type { MetricData } from '../cloudwatch/metric-store.ts';
import type { JsonObject } from '../shared/json.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { readFilterPattern } from './filter-pattern.ts';
import { metricFilterType } from './resource-types.ts';

/** Creates metrics from the lines of one log group. */
export type MetricFilters = (line: JsonObject, at: number) => readonly MetricData[];

type Filter = TypedResource<typeof metricFilterType.properties>;

/**
 * Returns the metric filters of the template, by log group. Each filter counts the JSON lines with a certain
 * value in a member.
 *
 * @throws {Error} naming the filter, for an unsupported pattern
 */
export function readMetricFilters(resources: readonly Resource[]): (logGroupName: string) => MetricFilters {
  const filters = ofType(resources, metricFilterType).map(readFilter);
  return (logGroupName) => {
    const own = filters.filter((filter) => filter.logGroupName === logGroupName);
    return (line, at) => own.flatMap(({ read }) => read(line, at));
  };
}

function readFilter({ logicalId, properties }: Filter) {
  const { FilterPattern, LogGroupName, MetricTransformations } = properties;
  const matches = readFilterPattern(FilterPattern);
  if (matches === undefined) {
    throw new Error(`${logicalId}: the filter pattern ${FilterPattern} is not supported`);
  }
  const read: MetricFilters = (line, at) =>
    matches(line)
      ? MetricTransformations.map(({ MetricName, MetricNamespace }) => ({
          namespace: MetricNamespace,
          name: MetricName,
          dimensions: {},
          values: [1],
          at,
        }))
      : [];
  return { logGroupName: LogGroupName, read };
}
