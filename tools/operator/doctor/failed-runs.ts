import type { Deployment } from '../deployment/deployment.ts';
import { type MetricQuery, readMetrics } from '../deployment/metrics.ts';
import { type CheckResult, news, ok } from './finding.ts';

const [hourSeconds, days, newsDays] = [3600, 90, 7];

/** Reports the last failed runs of the functions that rotate keys and reconcile uploads, to the hour. */
export async function checkFailedRuns(deployment: Deployment): Promise<CheckResult> {
  const { RotateSigningKeyFunctionName, ReconcileUploadsFunctionName } = deployment.outputs;
  const errorsOf = (FunctionName: string): MetricQuery => {
    return { namespace: 'AWS/Lambda', metric: 'Errors', dimensions: { FunctionName } };
  };
  const queries = {
    'signing-keys': errorsOf(RotateSigningKeyFunctionName),
    'reconcile-uploads': errorsOf(ReconcileUploadsFunctionName),
  };
  const hour = hourSeconds * 1000;
  const until = Math.ceil(deployment.now() / hour) * hour;
  const since = until - days * 24 * hour;
  const values = await readMetrics(deployment, queries, { since, until }, hourSeconds);
  const failures = Object.entries(values).flatMap(([name, errors]) => {
    const last = errors.findLastIndex((count = 0) => count > 0);
    return last < 0 ? [] : [{ name, at: since + last * hour }];
  });
  if (failures.length === 0) {
    return ok(`none of signing-keys or reconcile-uploads in the last ${days} days`);
  }
  const texts = failures.map(({ name, at }) => `${name} in the hour from ${new Date(at).toISOString()}`);
  const message = `Last failed runs: ${texts.join('; ')}. Their logs contain the causes.`;
  const isNew = failures.some(({ at }) => at >= until - newsDays * 24 * hour);
  return isNew ? news(message) : ok(message);
}
