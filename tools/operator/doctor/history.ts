import * as v from 'valibot';
import { cloudWatchClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { metricOf, readMetrics, sumOf } from '../deployment/metrics.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import { lastHour, readActivity } from '../requests/activity.ts';
import { formatCount } from '../text.ts';
import { type CheckResult, news, ok, warning } from './finding.ts';

const dayMilliseconds = 86_400_000;

/** CloudWatch stores the history of an alarm for 30 days (CloudWatch User Guide, "Using alarms"). */
const [alarmDays, runDays] = [7, 30];

/** Schema of the data of a change of state (AlarmHistoryItem, HistoryData). */
const stateChange = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ newState: v.object({ stateValue: v.string() }) }),
);

/** Reports the alarms of the last week, with the last time that each was raised. */
export async function checkPastAlarms(deployment: Deployment): Promise<CheckResult> {
  const { namesOf } = await listStackResources(deployment);
  const client = await cloudWatchClient(deployment);
  const texts = namesOf('AWS::CloudWatch::Alarm').map(async (AlarmName) => {
    const { AlarmHistoryItems = [] } = await client.describeAlarmHistory({
      AlarmName,
      HistoryItemType: 'StateUpdate',
      ScanBy: 'TimestampDescending',
      StartDate: new Date(deployment.now() - alarmDays * dayMilliseconds),
    });
    const last = AlarmHistoryItems.find(
      ({ HistoryData }) => v.parse(stateChange, HistoryData).newState.stateValue === 'ALARM',
    );
    return last === undefined ? [] : `${AlarmName} (last at ${last.Timestamp?.toISOString()})`;
  });
  const found = (await Promise.all(texts)).flat();
  return reported(found, `Raised in the last ${alarmDays} days`);
}

/** Reports the last failed runs of the functions that rotate keys and reconcile uploads, to the hour. */
export async function checkFailedRuns(deployment: Deployment): Promise<CheckResult> {
  const { outputs, now } = deployment;
  const errorsOf = (FunctionName: string) => metricOf('AWS/Lambda', 'Errors', { FunctionName });
  const { since, period, values } = await readMetrics(
    deployment,
    {
      rotation: errorsOf(outputs.RotateSigningKeyFunctionName),
      reconciliation: errorsOf(outputs.ReconcileUploadsFunctionName),
    },
    { since: now() - runDays * dayMilliseconds, until: now() },
    3600,
  );
  const found = Object.entries(values).flatMap(([name, errors]) => {
    const last = errors.findLastIndex((count) => count > 0);
    return last < 0 ? [] : `${name} in the hour from ${new Date(since + last * period).toISOString()}`;
  });
  return reported(found, `Last failed runs in ${runDays} days`);
}

function reported(found: readonly string[], title: string): CheckResult {
  return found.length === 0 ? ok(`${title}: none`) : news(`${title}: ${found.join('; ')}.`);
}

/** Checks that fewer than one request in ten of the last hour got an error. */
export async function checkRequests(deployment: Deployment): Promise<CheckResult> {
  const range = lastHour(deployment.now());
  // Whole periods, which begin before the range.
  const { values, ...read } = await readActivity(deployment, range);
  const [rejected, failed] = [sumOf(values.rejected), sumOf(values.failed)];
  const requests = sumOf(values.succeeded) + rejected + failed;
  const since = new Date(read.since).toISOString();
  const counts = `${formatCount(rejected)} of ${formatCount(requests)} requests were rejected (4xx) and ${formatCount(failed)} failed (5xx), since ${since}`;
  return requests === 0 || 10 * (rejected + failed) < requests
    ? ok(counts)
    : warning(`${counts}.`, 'Find out which clients and routes are affected.', {
        noun: 'request',
        verb: 'list',
        answers: {
          status: failed > 0 ? '5xx' : '4xx',
          since,
          until: new Date(range.until).toISOString(),
        },
      });
}
