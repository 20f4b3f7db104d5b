import * as v from 'valibot';
import type { MetricData } from '../cloudwatch/metric-store.ts';
import type { JsonObject } from '../shared/json.ts';

/** What a log line says about metrics. */
export interface EmbeddedMetrics {
  readonly data: readonly MetricData[];
  /** Why CloudWatch would not take the line. It then takes none of its metrics. */
  readonly problem?: string;
}

/** Units of CloudWatch (API reference, MetricDatum). */
const rates = [
  'Bits',
  'Bytes',
  'Kilobits',
  'Kilobytes',
  'Megabits',
  'Megabytes',
  'Gigabits',
  'Gigabytes',
  'Terabits',
  'Terabytes',
  'Count',
];
const units = [
  'Seconds',
  'Microseconds',
  'Milliseconds',
  'Percent',
  'None',
  ...rates,
  ...rates.map((unit) => `${unit}/Second`),
];

const nameSchema = v.pipe(v.string(), v.regex(/\S/, 'is empty'), v.maxLength(1024));

const directiveSchema = v.object({
  Namespace: nameSchema,
  Dimensions: v.array(v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(250))), v.maxLength(30))),
  Metrics: v.pipe(
    v.array(
      v.object({
        Name: nameSchema,
        Unit: v.optional(v.picklist(units)),
        StorageResolution: v.optional(v.picklist([1, 60])),
      }),
    ),
    v.maxLength(100),
  ),
});

const metadataSchema = v.object({
  Timestamp: v.pipe(v.number(), v.integer()),
  CloudWatchMetrics: v.array(directiveSchema),
});

type Directive = v.InferOutput<typeof directiveSchema>;

/** How far from now a time may be (CloudWatch API reference, PutMetricData). */
const most = { past: 14 * 24 * 3_600_000, future: 2 * 3_600_000 };

/**
 * Reads the metrics in a log line (CloudWatch User Guide, "Specification: Embedded metric format"). The values and the
 * values of the dimensions are members of the root. A line without `_aws.CloudWatchMetrics` has no metrics. Values of
 * one second are kept as values of one minute.
 *
 * @param now milliseconds since the epoch
 */
export function readEmbeddedMetrics(line: JsonObject, now: number): EmbeddedMetrics {
  const { _aws: metadata } = line;
  if (typeof metadata !== 'object' || metadata === null || !('CloudWatchMetrics' in metadata)) {
    return { data: [] };
  }
  const parsed = v.safeParse(metadataSchema, metadata);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return { data: [], problem: `_aws.${v.getDotPath(issue)}: ${issue.message}` };
  }
  const { Timestamp: at, CloudWatchMetrics: directives } = parsed.output;
  if (at < now - most.past || at > now + most.future) {
    return { data: [], problem: '_aws.Timestamp: is too far from now' };
  }
  try {
    return { data: directives.flatMap((directive) => readDirective(directive, line, at)) };
  } catch (error) {
    return { data: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function readDirective(
  { Namespace, Dimensions, Metrics }: Directive,
  line: JsonObject,
  at: number,
): MetricData[] {
  // Without a dimension set there is no metric. A metric without dimensions has the empty set.
  return Dimensions.flatMap((keys) => {
    const dimensions = Object.fromEntries(keys.map((key) => [key, dimensionValue(line, key)]));
    return Metrics.map(({ Name, Unit }) => ({
      namespace: Namespace,
      name: Name,
      dimensions,
      unit: Unit,
      values: metricValues(line, Name),
      at,
    }));
  });
}

function dimensionValue(line: JsonObject, key: string): string {
  const value = line[key];
  if (typeof value !== 'string' || value === '' || value.length > 1024) {
    throw new Error(`the dimension ${key} is not a text of 1 to 1024 characters`);
  }
  return value;
}

/** A number, or up to 100 of them. */
function metricValues(line: JsonObject, name: string): readonly number[] {
  const value = line[name];
  const values = Array.isArray(value) ? value : [value];
  const isValid = values.length <= 100 && values.every((it) => typeof it === 'number' && Number.isFinite(it));
  if (!isValid) {
    throw new Error(`the metric ${name} is not a number, or a list of up to 100 numbers`);
  }
  return values;
}
