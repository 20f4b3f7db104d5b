import { versionNames } from '../../contract/versions.ts';
import {
  type MetricDivision,
  type MetricName,
  measuredFunctions,
  metrics,
  refusalsOf,
} from '../../storage/metrics.ts';

/** The most metrics that CloudWatch can come to have of one stack: each name with each value of its dimension. */
export function mostMetrics(): number {
  return names.map(sizeOf).reduce((sum, size) => sum + size, 0);
}

const names = Object.keys(metrics) as MetricName[];

function sizeOf(name: MetricName): number {
  switch (metrics[name].by) {
    case 'whole':
      return 1;
    case 'Function':
      return measuredFunctions.length;
    case 'Version':
      return 1 + versionNames.length;
    case 'Reason':
      return 1 + (isRefusal(name) ? refusalsOf[name].length : 0);
  }
}

function isRefusal(name: MetricName): name is keyof typeof refusalsOf {
  return Object.hasOwn(refusalsOf, name);
}

const divisions: Readonly<Record<MetricDivision, string>> = {
  whole: '',
  Reason: '`Reason`',
  Version: '`Version`',
  Function: '`Function`',
};

/** The metrics that the functions write, and how many there can be. */
export function metricsTable(): string {
  const rows = names.map((name) => {
    const { unit, by, meaning } = metrics[name];
    return `| \`${name}\` | ${meaning} | ${unit} | ${divisions[by]} |`;
  });
  const bound = `Together these are at most ${mostMetrics()} custom metrics for each stack.`;
  return [
    '| Metric | Counts or measures | Unit | Divided by |',
    '|---|---|---|---|',
    ...rows,
    '',
    bound,
  ].join('\n');
}
