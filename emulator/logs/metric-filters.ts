import type { MetricData } from '../cloudwatch/metric-store.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/json.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import { metricFilterType } from './resource-types.ts';

/** Makes metrics of the lines of one log group. */
export type MetricFilters = (line: JsonObject, at: number) => readonly MetricData[];

type Filter = TypedResource<typeof metricFilterType.properties>;
type Transformation = Filter['properties']['MetricTransformations'][number];

/**
 * The metric filters of the template, by log group.
 *
 * @throws {Error} naming the filter, for a pattern that is not supported
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
  const matches = parsePattern(FilterPattern, logicalId);
  for (const transformation of MetricTransformations) {
    requireSupported(transformation, logicalId);
  }
  const read: MetricFilters = (line, at) =>
    MetricTransformations.flatMap((transformation) => transform(transformation, matches(line), line, at));
  return { logGroupName: LogGroupName, read };
}

/**
 * A comparison of one member with a text (CloudWatch Logs User Guide, "Filter pattern syntax", JSON log events):
 * `{ $.message = "text" }`. `*` stands for any characters.
 */
function parsePattern(pattern: string, logicalId: string): (line: JsonObject) => boolean {
  const [, path = '', wanted] =
    /^\{\s*\$\.([A-Za-z_][\w.]*)\s*=\s*("(?:[^"\\]|\\.)*")\s*\}$/.exec(pattern.trim()) ?? [];
  if (wanted === undefined) {
    throw new Error(`${logicalId}: the filter pattern ${pattern} is not supported`);
  }
  const parts = String(JSON.parse(wanted)).split('*').map(escapeExpression);
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (line) => {
    const value = memberAt(line, path);
    return typeof value === 'string' && expression.test(value);
  };
}

function escapeExpression(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function requireSupported({ MetricValue, Dimensions }: Transformation, logicalId: string): void {
  if (Number.isNaN(Number(MetricValue)) && !MetricValue.startsWith('$.')) {
    throw new Error(`${logicalId}: the metric value ${MetricValue} is not supported`);
  }
  if (Dimensions?.some(({ Value }) => !Value.startsWith('$.'))) {
    throw new Error(`${logicalId}: dimensions must name members of the line`);
  }
}

/** A line that does not match gives the default value, if there is one. A line without a dimension gives nothing. */
function transform(
  transformation: Transformation,
  matches: boolean,
  line: JsonObject,
  at: number,
): MetricData[] {
  const { DefaultValue, Dimensions = [], MetricName, MetricNamespace, MetricValue, Unit } = transformation;
  const value = matches ? readValue(MetricValue, line) : DefaultValue;
  const dimensions = Dimensions.map(({ Key, Value }) => [Key, memberAt(line, Value.slice(2))] as const);
  if (value === undefined || dimensions.some(([, found]) => typeof found !== 'string')) {
    return [];
  }
  return [
    {
      namespace: MetricNamespace,
      name: MetricName,
      dimensions: Object.fromEntries(dimensions.map(([key, found]) => [key, String(found)])),
      unit: Unit,
      values: [value],
      at,
    },
  ];
}

function readValue(text: string, line: JsonObject): number | undefined {
  const value = text.startsWith('$.') ? memberAt(line, text.slice(2)) : Number(text);
  return typeof value === 'number' ? value : undefined;
}

function memberAt(line: JsonObject, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>((value, name) => (isJsonObject(value) ? value[name] : undefined), line);
}
