import { type MeasuredFunction, type MetricName, type MetricValues, metrics } from '../../storage/metrics.ts';

/** Where the metrics of a function go. */
export interface MetricsTarget {
  /** The stack's name, so that the metrics of several stages stay apart. */
  readonly namespace: string;
  readonly functionName: MeasuredFunction;
  /** Calls of AWS that were made again since it was last asked. The next line counts them. */
  readonly takeRetries?: () => number;
}

/** Members that make a log line one of CloudWatch's embedded metric format. */
export type EmbeddedMembers = Readonly<Record<string, unknown>>;

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** Dimension sets of a metric. The empty set is the metric without dimensions. */
const dimensionSets = { whole: [[]], Reason: [[], ['Reason']], Function: [['Function']] } as const;

/**
 * Makes the members for the values of a line (CloudWatch User Guide, "Specification: Embedded metric format"). CloudWatch
 * Logs reads them from the log, so that no request waits for a call of CloudWatch. The first line of an environment
 * counts its cold start. What is the same in all lines with the same metrics is made once.
 *
 * @param at milliseconds since the epoch
 */
export function createEmbeddedMetrics({ namespace, functionName, takeRetries }: MetricsTarget) {
  const directives = new Map<string, readonly Directive[]>();
  let isFirst = true;
  return (values: MetricValues | undefined, at: number): EmbeddedMembers => {
    const retries = takeRetries?.() ?? 0;
    if (values === undefined && !isFirst && retries === 0) {
      return {};
    }
    const members = {
      ...values,
      ...(isFirst ? { ColdStarts: 1 } : {}),
      ...(retries === 0 ? {} : { AwsRetries: retries }),
    };
    isFirst = false;
    const key = Object.keys(members).join();
    const known = directives.get(key) ?? directivesOf(namesIn(members), namespace);
    directives.set(key, known);
    return { ...members, Function: functionName, _aws: { Timestamp: at, CloudWatchMetrics: known } };
  };
}

function namesIn(members: Readonly<Record<string, unknown>>): MetricName[] {
  return Object.keys(members).filter((name): name is MetricName => Object.hasOwn(metrics, name));
}

/** One directive for each division that the metrics have. */
function directivesOf(names: readonly MetricName[], namespace: string): readonly Directive[] {
  return (['whole', 'Reason', 'Function'] as const).flatMap((by) => {
    const own = names.filter((name) => metrics[name].by === by);
    return own.length === 0
      ? []
      : [
          {
            Namespace: namespace,
            Dimensions: dimensionSets[by],
            Metrics: own.map((Name) => ({ Name, Unit: metrics[Name].unit })),
          },
        ];
  });
}
