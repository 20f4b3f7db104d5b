import { noMetrics } from '../environment.ts';
import { type MetricName, type MetricValues, metrics } from './metrics.ts';

/** Dimension sets of a metric. The empty set is the metric without dimensions. */
const dimensionSets = { whole: [[]], Reason: [[], ['Reason']] } as const;

/**
 * Makes the last members of a line's JSON for the metrics of the line, each with a comma before it (CloudWatch User Guide,
 * "Specification: Embedded metric format"). CloudWatch Logs reads them from the log, so that no request waits for a call
 * of CloudWatch. The text that is the same in all lines with the same metrics is made once: written anew, it would take
 * more time than the rest of the line.
 *
 * @returns takes the values of a line, and its time in milliseconds since the epoch
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
    const known = directives.get(names) ?? JSON.stringify(directivesOf(namesIn(members), namespace));
    directives.set(names, known);
    return `${text},"_aws":{"Timestamp":${at},"CloudWatchMetrics":${known}}`;
  };
}

function namesIn(members: Readonly<Record<string, unknown>>): MetricName[] {
  return Object.keys(members).filter((name): name is MetricName => Object.hasOwn(metrics, name));
}

/** One directive for each division that the metrics have. */
function directivesOf(names: readonly MetricName[], namespace: string) {
  return (['whole', 'Reason'] as const).flatMap((by) => {
    const own = names.filter((name) => metrics[name].by === by);
    const Metrics = own.map((Name) => ({ Name, Unit: metrics[Name].unit }));
    return own.length === 0 ? [] : [{ Namespace: namespace, Dimensions: dimensionSets[by], Metrics }];
  });
}
