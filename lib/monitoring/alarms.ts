import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { MetricName } from '../../contract/internal/metrics.ts';
import { respondWithinMilliseconds } from '../../contract/limits.ts';
import { endingDays } from '../../storage/client-secret.ts';
import { overdueSeconds } from '../../storage/upload-due.ts';
import type { Api } from '../api.ts';
import type { DeletionProtection } from '../deletion-protection.ts';
import type { UploadReconciler, UploadRecorder } from '../recording.ts';
import type { SigningKeyRotation } from '../signing-key-rotation.ts';
import { apiMetric, orZero, ownMetric, period, ruleMetric, throttledMetric } from './metrics.ts';

/**
 * Constructs with watched metrics. The stack passes in all its constructs. To watch another construct, name
 * it here.
 */
export interface MonitoredResources {
  readonly api: Api;
  readonly recorder: UploadRecorder;
  readonly reconciler: UploadReconciler;
  readonly rotation: SigningKeyRotation;
  /** Absent in a stack that may be deleted. */
  readonly protection: DeletionProtection | undefined;
}

/** Sources of the metric of an alarm. */
export interface WatchedResources extends MonitoredResources {
  /** Construct of the alarms, for resources that only create a metric. */
  readonly scope: Construct;
  /** Namespace of the service's own metrics. */
  readonly namespace: string;
  readonly signingKeyRotationDays: number;
}

/** A problem that an operator must act on. */
export interface AlarmDescription {
  /**
   * Description of the problem. One sentence without its full stop. The section of the alarm in
   * docs/runbooks.md begins with it.
   */
  readonly means: string;
  /** The first step to take. Completes "First step: ...". */
  readonly todo: string;
  /** Called once for each stack, because it may add a resource to `scope`. */
  readonly metric: (watched: WatchedResources) => IMetric;
  /** The alarm is raised at this value or above it. */
  readonly threshold: number;
}

export type AlarmName = keyof typeof alarms;

const daySeconds = 86_400;

/** Returns the metric of an alarm that counts events of the service itself. */
function own(id: string, name: MetricName, over?: Duration): AlarmDescription['metric'] {
  return ({ namespace }) => orZero(id, { [id]: ownMetric(namespace, name) }, over);
}

/** Functions respond with 500 after twice this time. */
const slowMilliseconds = respondWithinMilliseconds / 2;

/**
 * Every alarm, by its id. Each alarm except three covers five minutes and is evaluated each minute ("Evaluating
 * an alarm"). The threshold, not a number of periods, filters out small problems.
 */
export const alarms = {
  // A rate is comparable at any traffic. With fewer than 100 requests, one error is more than 1 %.
  ServerErrors: {
    means: 'At least one request in 100 got a server error (5xx)',
    todo: 'run `doctor`, then read the lines of level ERROR in the logs of the functions',
    metric: ({ api: { apiId } }) =>
      orZero('100 * errors / requests', {
        errors: apiMetric(apiId, '5xx'),
        requests: apiMetric(apiId, 'Count'),
      }),
    threshold: 1,
  },
  // An AWS call times out after 1.5 s, so only a request with retried calls takes this long.
  SlowAnswers: {
    means: `One request in 100 takes at least ${slowMilliseconds / 1000} s, half of the time after which requests fail`,
    todo: 'check https://health.aws.amazon.com, then the response times in the access log',
    metric: ({ api: { apiId } }) =>
      orZero('slow', { slow: apiMetric(apiId, 'Latency', { statistic: 'p99' }) }),
    threshold: slowMilliseconds,
  },
  // A client that backs off gets a few 429 responses. A hundred show that clients remain unserved.
  RequestsThrottled: {
    means: 'At least 100 requests got 429: they exceeded the limits of their routes',
    todo: 'run `request count --since 1h` to find the client, then raise the limit or revoke the client',
    metric: ({ scope, api, namespace }) => {
      const throttled = new MetricFilter(scope, 'ThrottledRequests', {
        logGroup: api.accessLog,
        filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
        metricNamespace: namespace,
        metricName: throttledMetric,
      });
      return orZero('throttled', { throttled: throttled.metric({ statistic: 'Sum', period }) });
    },
    threshold: 100,
  },
  UploadsNotRecorded: {
    means: 'Uploads arrived but could not be recorded: events wait in the dead-letter queue',
    todo: 'read the log of record-upload and fix the cause, then run `upload replay`',
    metric: ({ recorder: { deadLetterQueue } }) =>
      orZero('letters', {
        letters: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      }),
    threshold: 1,
  },
  UploadsReconciled: {
    means: 'Uploads arrived that no event recorded; the reconciliation has recorded the uploads now',
    todo: 'run `doctor`, then find out why the events were lost',
    metric: own('reconciled', 'UploadsReconciled'),
    threshold: 1,
  },
  // Each run sends a value while events are missing. Runs do not end exactly every five minutes, so one value
  // in three runs is sufficient.
  UploadEventsMissing: {
    means:
      'Uploads were stored two minutes ago or earlier, but their events are missing; the reconciliation records them',
    todo: 'check that the bucket still sends its events to EventBridge, and that the rule is enabled',
    metric: own('missing', 'UploadEventsMissing', Duration.minutes(15)),
    threshold: 1,
  },
  // A run that catches up sends no value.
  UploadsOverdue: {
    means: `The reconciliation is ${overdueSeconds / 60} minutes late, or more: its runs have no time for all due uploads`,
    todo: 'run `upload reconcile`, then read the log of reconcile-uploads',
    metric: ({ namespace }) =>
      orZero(
        'age',
        { age: ownMetric(namespace, 'DueUploadsAge', { statistic: 'Maximum' }) },
        Duration.minutes(15),
      ),
    threshold: overdueSeconds,
  },
  // Each run sends a value while files are overdue.
  FilesOverdue: {
    means: 'A watched file got no content before its deadline',
    todo: 'run `file list --overdue`, then ask the operator of the client why it does not upload',
    metric: own('overdue', 'FilesOverdue', Duration.minutes(15)),
    threshold: 1,
  },
  // An event that went to the dead-letter queue does not count as failed (EventBridge, "Monitoring").
  EventsNotDelivered: {
    means: 'EventBridge could not invoke record-upload or reconcile-uploads',
    todo: 'deploy the stack again, so that EventBridge may invoke the functions, then run `upload replay`',
    metric: ({ recorder, reconciler }) =>
      orZero('SUM([undelivered, kept, unstarted])', {
        undelivered: ruleMetric(recorder.rule, 'FailedInvocations'),
        kept: ruleMetric(recorder.rule, 'InvocationsSentToDlq'),
        unstarted: ruleMetric(reconciler.rule, 'FailedInvocations'),
      }),
    threshold: 1,
  },
  // A client's URL may have leaked.
  SecondVersions: {
    means: 'An upload URL was used twice; the upload that was recorded first stays the content',
    todo: 'run `upload show` for the upload in the log of record-upload, and find out who used the URL',
    metric: own('seconds', 'SecondVersions'),
    threshold: 1,
  },
  // The highest of three metrics, each divided by its own limit. A function retries a refresh after ten
  // seconds, and uses its cached keys meanwhile: one failed refresh does no harm.
  KeysFailing: {
    means: 'The signing keys are too old, or could not be rotated, revoked, or read by a function',
    todo: 'read the log of signing-keys and fix the cause, then run `signing-key rotate`',
    metric: ({ namespace, rotation, signingKeyRotationDays }) => {
      // Secrets Manager rotates at any time on the due day (User Guide, "Rotation schedules"), and retries a
      // failed rotation. One day is for the window, and one for the retry.
      const longestAge = (signingKeyRotationDays + 2) * daySeconds;
      return orZero(`MAX([age / ${longestAge}, refreshes / 3, rotations])`, {
        age: ownMetric(namespace, 'SigningKeysAge', { statistic: 'Maximum' }),
        refreshes: ownMetric(namespace, 'RefreshesFailed'),
        rotations: rotation.function.metricErrors({ period }),
      });
    },
    threshold: 1,
  },
  // Two days, so that an application that runs once a day does not raise the alarm anew each day. An alarm covers
  // at most seven days (CloudWatch API reference, PutMetricAlarm).
  SecretsEnding: {
    means: `A client uses a secret that ends within ${endingDays} days`,
    todo: 'run `doctor` to find the client, then rotate its secret or finish its rotation',
    metric: own('ending', 'SecretsEnding', Duration.days(2)),
    threshold: 1,
  },
  BackgroundFailing: {
    means:
      'The reconciliation or the deletion protection failed, or the dead-letter queue rejected an event of record-upload',
    todo: 'read the logs of reconcile-uploads, deletion-protection and record-upload',
    metric: ({ namespace, recorder, reconciler, protection }) => {
      const failing = {
        reconciler: reconciler.function.metricErrors({ period }),
        // The reconciliation continues after an upload that it cannot check.
        unreconciled: ownMetric(namespace, 'ReconciliationsFailed'),
        // An event on which record-upload fails goes to the dead-letter queue, unless the queue does not
        // accept the event.
        letters: recorder.function.metric('DeadLetterErrors', { period, statistic: 'Sum' }),
        ...(protection && { protection: protection.function.metricErrors({ period }) }),
      };
      return orZero(`SUM([${Object.keys(failing).join(', ')}])`, failing);
    },
    threshold: 1,
  },
} satisfies Readonly<Record<string, AlarmDescription>>;
