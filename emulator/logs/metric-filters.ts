import type { MetricData } from '../cloudwatch/metric-store.ts';
import type { JsonObject } from '../shared/json.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { parseFilterPattern, selectorOf } from './filter-pattern.ts';
import { metricFilterType } from './resource-types.ts';

/** Makes metrics of the lines of one log group. */
export type MetricFilters = (line: JsonObject, at: number) => readonly MetricData[];

type Filter = TypedResource<typeof metricFilterType.properties>;
type Transformation = Filter['properties']['MetricTransformations'][number];

/** Most dimensions of a metric of a filter (CloudFormation, AWS::Logs::MetricFilter MetricTransformation). */
const mostDimensions = 3;

/**
 * The metric filters of the template, by log group.
 *
 * @throws {Error} naming the filter, for what is not supported, or what AWS refuses
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
  const matches = explained(`${logicalId}: the filter pattern ${FilterPattern} is not supported`, () =>
    parseFilterPattern(FilterPattern),
  );
  const transforms = MetricTransformations.map((transformation) =>
    explained(`${logicalId}: its metric ${transformation.MetricName} is refused`, () =>
      readTransformation(transformation),
    ),
  );
  const read: MetricFilters = (line, at) => {
    const matching = matches(line);
    return transforms.flatMap((transform) => transform(line, matching, at));
  };
  return { logGroupName: LogGroupName, read };
}

function explained<Result>(what: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * A line that does not match gives the default value, if there is one. A line that lacks a dimension gives nothing
 * (CloudWatch Logs User Guide, "Publishing dimensions with metrics").
 */
function readTransformation(transformation: Transformation) {
  const { DefaultValue, MetricName, MetricNamespace, Unit } = transformation;
  const dimensionsOf = readDimensions(transformation);
  const valueIn = readValue(transformation.MetricValue);
  return (line: JsonObject, matches: boolean, at: number): MetricData[] => {
    const value = matches ? valueIn(line) : DefaultValue;
    const dimensions = value === undefined ? undefined : dimensionsOf(line);
    if (value === undefined || dimensions === undefined) {
      return [];
    }
    return [{ namespace: MetricNamespace, name: MetricName, dimensions, unit: Unit, values: [value], at }];
  };
}

/** AWS answers a filter that has both "dimensions and default value are mutually exclusive properties". */
function readDimensions({ DefaultValue, Dimensions = [] }: Transformation) {
  if (DefaultValue !== undefined && Dimensions.length > 0) {
    throw new Error('dimensions and default value are mutually exclusive properties');
  }
  if (Dimensions.length > mostDimensions) {
    throw new Error(`it has more than ${mostDimensions} dimensions`);
  }
  const selected = Dimensions.map(({ Key, Value }) => ({ key: Key, read: selectorOf(Value) }));
  return (line: JsonObject): Record<string, string> | undefined => {
    const found = selected.map(({ key, read }) => [key, read(line)] as const);
    const isComplete = found.every(([, value]) => isDimensionValue(value));
    return isComplete ? Object.fromEntries(found.map(([key, value]) => [key, String(value)])) : undefined;
  };
}

function isDimensionValue(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function readValue(text: string): (line: JsonObject) => number | undefined {
  const number = Number(text);
  if (text.trim() !== '' && !Number.isNaN(number)) {
    return () => number;
  }
  const read = selectorOf(text);
  return (line) => {
    const value = read(line);
    return typeof value === 'number' ? value : undefined;
  };
}
