import * as v from 'valibot';
import type { MetricData } from '../cloudwatch/metric-store.ts';
import { textOf } from '../shared/errors.ts';
import type { JsonObject } from '../shared/json.ts';

/** Metrics in a log line. */
interface EmbeddedMetrics {
  readonly data: readonly MetricData[];
  /**
   * Reason why CloudWatch, or only the emulator, rejects the metrics of the line. No metrics are recorded
   * then.
   */
  readonly problem?: string;
}

const nameSchema = v.pipe(v.string(), v.regex(/\S/, 'is empty'), v.maxLength(1024));

const directiveSchema = v.strictObject({
  Namespace: nameSchema,
  Dimensions: v.array(v.array(v.string())),
  // Some of the units of CloudWatch (API reference, MetricDatum).
  Metrics: v.array(
    v.strictObject({ Name: nameSchema, Unit: v.picklist(['Count', 'Bytes', 'Milliseconds', 'Seconds']) }),
  ),
});

const metadataSchema = v.object({
  Timestamp: v.pipe(v.number(), v.integer()),
  CloudWatchMetrics: v.array(directiveSchema),
});

type Directive = v.InferOutput<typeof directiveSchema>;

/** Maximum difference between a timestamp and now (CloudWatch API reference, PutMetricData). */
const max = { past: 14 * 24 * 3_600_000, future: 2 * 3_600_000 };

/**
 * Reads the metrics in a log line (CloudWatch User Guide, "Specification: Embedded metric format"). The line
 * is a JSON object, with the value of each metric and dimension in a member of the same name. A line without
 * `_aws.CloudWatchMetrics` contains no metrics. Lists of values are not supported.
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
  if (at < now - max.past || at > now + max.future) {
    return { data: [], problem: '_aws.Timestamp: is too far from now' };
  }
  try {
    return { data: directives.flatMap((directive) => readDirective(directive, line, at)) };
  } catch (error) {
    return { data: [], problem: textOf(error) };
  }
}

function readDirective(
  { Namespace, Dimensions, Metrics }: Directive,
  line: JsonObject,
  at: number,
): MetricData[] {
  // A directive without a set of dimensions defines no metric. The set of a metric without dimensions is
  // empty.
  return Dimensions.flatMap((keys) => {
    const dimensions = Object.fromEntries(keys.map((key) => [key, dimensionValue(line, key)]));
    return Metrics.map(({ Name }) => ({
      namespace: Namespace,
      name: Name,
      dimensions,
      values: [metricValue(line, Name)],
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

function metricValue(line: JsonObject, name: string): number {
  const value = line[name];
  if (typeof value !== 'number') {
    throw new Error(`the metric ${name} is not a number`);
  }
  return value;
}
