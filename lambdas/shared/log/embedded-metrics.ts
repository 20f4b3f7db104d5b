import { noMetrics } from '../../../contract/internal/environment.ts';
import { type MetricName, type MetricValues, metrics } from '../../../contract/internal/metrics.ts';

/**
 * Creates the JSON members for the metrics of a log line. They come last in the line, each with a comma
 * before it (CloudWatch User Guide, "Specification: Embedded metric format"). CloudWatch Logs reads them from
 * the log, so no request waits for a CloudWatch call. Most of the text is the same in all lines with the same
 * metrics, and is created once: per line, it would take more time than the rest of the line.
 *
 * @returns function of the values of a line and its time in milliseconds since the epoch
 */
export function createEmbeddedMetrics(namespace: string) {
  const directives = new Map<string, string>();
  return (values: MetricValues | undefined, at: number): string => {
    if (values === undefined || namespace === noMetrics) {
      return '';
    }
    const members: Readonly<Record<string, unknown>> = values;
    let text = '';
    let names = '';
    for (const name in members) {
      names += `${name} `;
      text += `,"${name}":${JSON.stringify(members[name])}`;
    }
    const known = directives.get(names) ?? JSON.stringify([directiveOf(members, namespace)]);
    directives.set(names, known);
    return `${text},"_aws":{"Timestamp":${at},"CloudWatchMetrics":${known}}`;
  };
}

/** The empty set of dimensions stands for the whole metric. */
function directiveOf(members: Readonly<Record<string, unknown>>, namespace: string) {
  const names = Object.keys(members).filter((name): name is MetricName => Object.hasOwn(metrics, name));
  return {
    Namespace: namespace,
    Dimensions: 'Reason' in members ? [[], ['Reason']] : [[]],
    Metrics: names.map((name) => ({ Name: name, Unit: metrics[name] })),
  };
}
