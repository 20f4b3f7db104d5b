import { answerWithinMilliseconds } from '../../contract/limits.ts';
import { everyRoute, type Route, routeKey } from '../../contract/routes.ts';
import type { AlarmDefinition, MetricSource, MonitoringSettings } from './definition.ts';

/**
 * Every period is five minutes, and one period is enough: CloudWatch evaluates such an alarm each minute over the last
 * five ("Evaluating an alarm"). The threshold, not a number of periods, keeps small things from waking anybody.
 * Where nothing happens there is no data, and nothing is wrong.
 */
const usual = {
  unit: 'Count',
  comparison: 'above',
  period: 300,
  datapoints: [1, 1],
  missing: 'notBreaching',
} as const satisfies Partial<AlarmDefinition>;

const apiFunctions = ['token', 'volumes', 'sync', 'well-known'] as const;

/** The functions that hold a copy of keys. */
const keyHolders = apiFunctions;

type KeySettings = Pick<MonitoringSettings, 'signingKeyRotationDays'>;

const daySeconds = 86_400;

/** Every alarm of the stack, in the order in which people read of them. */
export function alarmDefinitions(settings: KeySettings): readonly AlarmDefinition[] {
  return [...apiAlarms(), ...uploadAlarms, ...keyAlarms(settings)];
}

function apiAlarms(): readonly AlarmDefinition[] {
  const routes = Object.entries(everyRoute());
  return [serverErrors, slowAnswers, throttles, ...routes.map(requestsThrottled), uploadSignerRefused];
}

/**
 * A rate, so that it means the same at any traffic. Of fewer than 100 requests one error is more than 1 %, so with little
 * traffic any error raises it. Without requests there is no quotient, hence no data.
 */
const serverErrors: AlarmDefinition = {
  ...usual,
  id: 'ServerErrors',
  runbook: 'ServerErrors',
  counts: '5xx answers, in percent of all requests',
  unit: 'Percent',
  measure: {
    metrics: {
      errors: { of: 'api', metric: '5xx', statistic: 'Sum' },
      requests: { of: 'api', metric: 'Count', statistic: 'Sum' },
    },
    expression: '100 * errors / requests',
  },
  threshold: 1,
  means: 'The API answers with server errors',
  todo: "Look in the functions' logs for lines of level ERROR",
  page: 'ApiInTrouble',
};

/**
 * Half of the time after which a function answers 500. A call of AWS is given up after 1.5 s, so only a request whose
 * calls were made again takes this long. With few requests, the slowest counts.
 */
const slowAnswers: AlarmDefinition = {
  ...usual,
  id: 'SlowAnswers',
  runbook: 'SlowAnswers',
  counts: 'time of an answer that 99 in 100 requests stay below (p99)',
  unit: 'Milliseconds',
  measure: { metric: { of: 'api', metric: 'Latency', statistic: 'p99' } },
  threshold: answerWithinMilliseconds / 2,
  means: 'The API answers so slowly that requests are about to fail',
  todo: 'See which calls of AWS are made again',
  page: 'ApiInTrouble',
};

/**
 * Each throttled invocation is a request that got a 5xx. Functions in the background are left out: Lambda gives them their
 * event again, and RecordingLate says when that takes too long. Each function behind the API is throttled by the
 * concurrency of the account alone.
 */
const throttles: AlarmDefinition = {
  ...usual,
  id: 'Throttles',
  runbook: 'Throttles',
  counts: 'invocations of the functions behind the API that Lambda refused',
  measure: totalOf(
    'throttled',
    apiFunctions.map((name) => ({
      of: 'function',
      name,
      metric: 'Throttles',
      statistic: 'Sum',
      label: name,
    })),
  ),
  threshold: 0,
  means:
    'Lambda refuses to run the functions behind the API, because the concurrency of the account is used up',
  todo: 'See what else uses the concurrency of the account, and ask for a greater quota',
  page: 'ApiInTrouble',
};

/**
 * A client that waits before it tries again meets a few 429. A hundred in five minutes mean that clients stay unserved.
 * One alarm for each route, because an alarm may compare ten metrics at most and routes may become more.
 */
function requestsThrottled([name, route]: readonly [string, Route]): AlarmDefinition {
  return {
    ...usual,
    id: `RequestsThrottled${capitalized(name)}`,
    runbook: 'RequestsThrottled',
    counts: `429 answers of \`${routeKey(route)}\``,
    measure: { metric: { of: 'throttled route', route, statistic: 'Sum' } },
    threshold: 100,
    means: `More requests to ${routeKey(route)} arrive than its limit allows, and are answered 429`,
    todo: 'Find out who sends them, and raise the limit or stop the client',
    page: 'ApiInTrouble',
  };
}

/** Counted when the SDK has given up its retries, so each is an upload URL that a client did not get. */
const uploadSignerRefused: AlarmDefinition = {
  ...usual,
  id: 'UploadSignerRefused',
  runbook: 'UploadSignerRefused',
  counts: 'calls of AssumeRole that STS refused',
  measure: { metric: { of: 'service', metric: 'UploadSignerRefused', statistic: 'Sum' } },
  threshold: 0,
  means: 'STS refuses the sessions that sign upload URLs, so no URL is issued',
  todo: 'See in the log of sync whether STS throttles or denies the calls',
  page: 'ApiInTrouble',
};

const uploadAlarms: readonly AlarmDefinition[] = [
  {
    ...usual,
    id: 'UploadsNotRecorded',
    runbook: 'UploadsNotRecorded',
    counts: 'events in the dead-letter queue',
    measure: {
      metric: {
        of: 'dead letters',
        metric: 'ApproximateNumberOfMessagesVisible',
        statistic: 'Maximum',
      },
    },
    threshold: 0,
    means: 'Uploads arrived that could not be recorded',
    todo: 'Mend the cause, then replay the dead letters',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'DeadLettersLost',
    runbook: 'DeadLettersLost',
    counts: 'events that could not be put into the dead-letter queue',
    measure: totalOf('lost', [
      { of: 'function', name: 'record-upload', metric: 'DeadLetterErrors', statistic: 'Sum' },
      { of: 'rule', name: 'object-created', metric: 'InvocationsFailedToBeSentToDlq', statistic: 'Sum' },
    ]),
    threshold: 0,
    means: 'Events of uploads are lost: neither the function nor the dead-letter queue took them',
    todo: 'Mend the permissions of the queue; the reconciliation records the uploads when their URLs have expired',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'RecordingLate',
    runbook: 'RecordingLate',
    counts: 'age of the oldest event that record-upload was given',
    unit: 'Milliseconds',
    measure: {
      metric: { of: 'function', name: 'record-upload', metric: 'AsyncEventAge', statistic: 'Maximum' },
    },
    // Lambda's two retries come within about three minutes ("Asynchronous invocation", retries). What is older has waited
    // behind other events, or because Lambda throttles.
    threshold: 300_000,
    means: 'Uploads are recorded more than five minutes after they arrived',
    todo: 'See whether record-upload is throttled or slow',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'EventsDropped',
    runbook: 'EventsDropped',
    counts: 'events that Lambda gave up',
    measure: {
      metric: { of: 'function', name: 'record-upload', metric: 'AsyncEventsDropped', statistic: 'Sum' },
    },
    threshold: 0,
    means: 'Lambda gave up events of uploads, after every retry or because they waited too long',
    todo: 'Mend the cause, then replay the dead letters',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'EventsNotDelivered',
    runbook: 'EventsNotDelivered',
    counts: 'events that EventBridge could not give to record-upload',
    // An event that went to the dead-letter queue is not counted among the failed ones (EventBridge, "Monitoring").
    measure: totalOf('undelivered', [
      { of: 'rule', name: 'object-created', metric: 'FailedInvocations', statistic: 'Sum' },
      { of: 'rule', name: 'object-created', metric: 'InvocationsSentToDlq', statistic: 'Sum' },
    ]),
    threshold: 0,
    means: 'EventBridge cannot give events of uploads to record-upload',
    todo: 'Mend the permission of the rule, then replay the dead letters',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'UploadsReconciled',
    runbook: 'UploadsReconciled',
    counts: 'uploads that the reconciliation had to record',
    measure: { metric: { of: 'service', metric: 'UploadsReconciled', statistic: 'Sum' } },
    // Events reach their function. That one did not is rare enough to ask why.
    threshold: 0,
    means: 'Uploads arrived and were not recorded by their events; the reconciliation has recorded them now',
    todo: 'Find out why their events were lost',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'ReconciliationFailed',
    runbook: 'ReconciliationFailed',
    counts:
      'uploads that the reconciliation could not look at, and runs of it that failed or could not begin',
    // A run that stops in the middle is counted by Lambda alone, and one that EventBridge cannot start by its rule alone.
    measure: totalOf('unreconciled', [
      { of: 'service', metric: 'ReconciliationsFailed', statistic: 'Sum' },
      { of: 'function', name: 'reconcile-uploads', metric: 'Errors', statistic: 'Sum' },
      { of: 'function', name: 'reconcile-uploads', metric: 'Throttles', statistic: 'Sum' },
      { of: 'rule', name: 'reconciliation', metric: 'FailedInvocations', statistic: 'Sum' },
    ]),
    threshold: 0,
    means: 'The reconciliation, which records uploads whose events are lost, fails',
    todo: 'See the log of reconcile-uploads; what it could not do, a later run does',
    page: 'UploadsInTrouble',
  },
  {
    ...usual,
    id: 'SecondVersions',
    runbook: 'SecondVersions',
    counts: 'second versions of uploads',
    measure: { metric: { of: 'second versions', statistic: 'Sum' } },
    threshold: 0,
    means: 'An upload URL was used twice; the first upload stays the content',
    todo: 'Find out who used it, and remove the second version',
    // Perhaps somebody else has a client's URL. No other trouble may hide that.
    page: 'own',
  },
];

function keyAlarms({ signingKeyRotationDays }: KeySettings): readonly AlarmDefinition[] {
  return [
    {
      ...usual,
      id: 'RefreshesFailed',
      runbook: 'RefreshesFailed',
      counts: "refreshes of the functions' copies of the keys that failed",
      measure: totalOf(
        'refreshes',
        keyHolders.map((name) => ({
          of: 'service',
          metric: 'RefreshesFailed',
          function: name,
          statistic: 'Sum',
          label: name,
        })),
      ),
      // A function tries again after ten seconds, and works on with the keys that it has: one failure is nothing yet.
      threshold: 2,
      means: 'Functions cannot refresh their copies of the keys, and those that start have none',
      todo: 'See in the logs of the functions what Secrets Manager or KMS answers',
      page: 'KeysInTrouble',
    },
    {
      ...usual,
      id: 'SigningKeyTooOld',
      runbook: 'SigningKeyTooOld',
      counts: 'time since the signing keys changed',
      unit: 'Seconds',
      measure: { metric: { of: 'service', metric: 'SigningKeysAge', statistic: 'Maximum' } },
      // Secrets Manager rotates at some time of the day that is due (User Guide, "Rotation schedules"), and repeats what
      // failed. One day is for the window, and one for the repetition.
      threshold: (signingKeyRotationDays + 2) * daySeconds,
      // It is measured at each token. A night without tokens makes no key younger, and none older than it is.
      missing: 'ignore',
      means: 'The signing keys are older than their rotation period allows',
      todo: 'See why the rotation does not happen, then rotate the keys',
      page: 'KeysInTrouble',
    },
    {
      ...usual,
      id: 'RotationFailed',
      runbook: 'RotationFailed',
      counts: 'failures of the function that changes the signing keys',
      // Lambda counts them, so a function that cannot even start is counted too.
      measure: {
        metric: { of: 'function', name: 'signing-keys', metric: 'Errors', statistic: 'Sum' },
      },
      threshold: 0,
      means: 'A rotation or revocation of the signing keys failed',
      todo: 'See the log of signing-keys; Secrets Manager repeats a rotation, a revocation is for you to repeat',
      page: 'KeysInTrouble',
    },
  ];
}

/**
 * The sum of metrics, each of which may have no data. The sum of a list takes those that have some, where `+` would need
 * all (CloudWatch User Guide, "Using math expressions").
 *
 * @param id begins the ids of the metrics, so that those of one picture differ
 */
function totalOf(id: string, sources: readonly MetricSource[]) {
  const metrics = Object.fromEntries(sources.map((source, index) => [`${id}${index + 1}`, source]));
  return { metrics, expression: `SUM([${Object.keys(metrics).join(', ')}])` };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
