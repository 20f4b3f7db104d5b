import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { answerWithinMilliseconds } from '../../contract/limits.ts';
import type { Api } from '../api.ts';
import type { DeletionProtection } from '../deletion-protection.ts';
import type { SigningKeyRotation } from '../signing-key-rotation.ts';
import type { UploadReconciler } from '../upload-reconciler.ts';
import type { UploadRecorder } from '../upload-recorder.ts';
import { apiMetric, orZero, ownMetric, period, ruleMetric, throttledMetric } from './metrics.ts';

/** The constructs whose metrics are watched. */
export interface MonitoredResources {
  readonly api: Api;
  readonly recorder: UploadRecorder;
  readonly reconciler: UploadReconciler;
  readonly rotation: SigningKeyRotation;
  /** Absent in a stack that may be deleted. */
  readonly protection: DeletionProtection | undefined;
}

/** A symptom that somebody must act on. */
export interface Symptom {
  /** What happened. One sentence without its full stop. */
  readonly means: string;
  /** What to do first. */
  readonly todo: string;
  readonly metric: IMetric;
  /** The alarm is raised at this value, and above it. */
  readonly threshold: number;
}

export type AlarmName = keyof ReturnType<typeof symptoms>;

export interface SymptomsInput extends MonitoredResources {
  /** Namespace of the service's own metrics. */
  readonly namespace: string;
  readonly signingKeyRotationDays: number;
}

/**
 * Every symptom, by the id of its alarm. Each alarm looks at five minutes and is evaluated each minute ("Evaluating an
 * alarm"). The threshold, not a number of periods, keeps small things from waking anybody.
 */
export function symptoms(input: SymptomsInput) {
  return { ...apiSymptoms(input), ...uploadSymptoms(input), ...backgroundSymptoms(input) };
}

function apiSymptoms({ api: { apiId }, namespace }: SymptomsInput) {
  return {
    // A rate, so that it means the same at any traffic. Of fewer than 100 requests one error is more than 1 %.
    ServerErrors: {
      means: 'The API answers with server errors, in one of 100 answers or more',
      todo: "Look in the functions' logs for lines of level ERROR",
      metric: orZero('100 * errors / requests', {
        errors: apiMetric(apiId, '5xx', 'Sum'),
        requests: apiMetric(apiId, 'Count', 'Sum'),
      }),
      threshold: 1,
    },
    // Half of the time after which a function answers 500. A call of AWS is given up after 1.5 s, so only a request whose
    // calls were made again takes this long.
    SlowAnswers: {
      means: 'The API answers so slowly that requests are about to fail',
      todo: 'See which service of AWS is slow',
      metric: orZero('slow', { slow: apiMetric(apiId, 'Latency', 'p99') }),
      threshold: answerWithinMilliseconds / 2,
    },
    // A client that waits before it tries again meets a few 429. A hundred mean that clients stay unserved.
    RequestsThrottled: {
      means: 'More requests arrive than the limits of their routes allow, and are answered 429',
      todo: 'Find out who sends them, and raise the limit or stop the client',
      metric: orZero('throttled', { throttled: ownMetric(namespace, throttledMetric) }),
      threshold: 100,
    },
  } satisfies Record<string, Symptom>;
}

function uploadSymptoms({ namespace, recorder, reconciler }: SymptomsInput) {
  const { deadLetterQueue } = recorder;
  return {
    UploadsNotRecorded: {
      means: 'Uploads arrived that could not be recorded',
      todo: 'Mend the cause, then replay the dead letters',
      metric: orZero('letters', {
        letters: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      }),
      threshold: 1,
    },
    UploadsReconciled: {
      means:
        'Uploads arrived and were not recorded by their events; the reconciliation has recorded them now',
      todo: 'Find out why their events were lost',
      metric: orZero('reconciled', { reconciled: ownMetric(namespace, 'UploadsReconciled') }),
      threshold: 1,
    },
    // An event that went to the dead-letter queue is not counted among the failed ones (EventBridge, "Monitoring").
    EventsNotDelivered: {
      means: 'EventBridge cannot start the functions that record uploads',
      todo: "Mend the permissions of the stack's rules, then replay the dead letters",
      metric: orZero('SUM([undelivered, kept, unstarted])', {
        undelivered: ruleMetric(recorder.rule, 'FailedInvocations'),
        kept: ruleMetric(recorder.rule, 'InvocationsSentToDlq'),
        unstarted: ruleMetric(reconciler.rule, 'FailedInvocations'),
      }),
      threshold: 1,
    },
    // Perhaps somebody else has a client's URL.
    SecondVersions: {
      means: 'An upload URL was used twice; the upload that was recorded first stays the content',
      todo: 'Find out who used it, and remove the second version',
      metric: orZero('seconds', { seconds: ownMetric(namespace, 'SecondVersions') }),
      threshold: 1,
    },
  } satisfies Record<string, Symptom>;
}

const daySeconds = 86_400;

function backgroundSymptoms(input: SymptomsInput) {
  const { namespace, recorder, reconciler, rotation, protection } = input;
  // Secrets Manager rotates at some time of the day that is due (User Guide, "Rotation schedules"), and repeats what
  // failed. One day is for the window, and one for the repetition.
  const longestAge = (input.signingKeyRotationDays + 2) * daySeconds;
  const failing = {
    reconciler: reconciler.function.metricErrors({ period }),
    // The reconciliation goes on after an upload that it cannot look at.
    unreconciled: ownMetric(namespace, 'ReconciliationsFailed'),
    // An event that record-upload fails on goes to the dead-letter queue, unless that fails too.
    letters: recorder.function.metric('DeadLetterErrors', { period, statistic: 'Sum' }),
    ...(protection && { protection: protection.function.metricErrors({ period }) }),
  };
  return {
    // The worst of three, each divided by its own limit. A function refreshes again after ten seconds, and works
    // on with the keys that it has: one failure is nothing yet.
    KeysFailing: {
      means: 'The signing keys do not change in time, or do not reach the functions',
      todo: 'See the logs of signing-keys and of the functions, then rotate the keys',
      metric: orZero(`MAX([age / ${longestAge}, refreshes / 3, rotations])`, {
        age: ownMetric(namespace, 'SigningKeysAge', { statistic: 'Maximum' }),
        refreshes: ownMetric(namespace, 'RefreshesFailed'),
        rotations: rotation.function.metricErrors({ period }),
      }),
      threshold: 1,
    },
    BackgroundFailing: {
      means:
        'A function in the background fails: the reconciliation, the deletion protection, or record-upload',
      todo: 'See the logs of these functions',
      metric: orZero(`SUM([${Object.keys(failing).join(', ')}])`, failing),
      threshold: 1,
    },
  } satisfies Record<string, Symptom>;
}
