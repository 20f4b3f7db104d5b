import { type AlarmName, alarms } from '../../lib/monitoring/alarms.ts';
import { everySetting, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

/**
 * test/system/alarms/ tests the effect of alarms, and test/tools/generate/ tests their places on the pages.
 */

const { document } = synthesized();

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
    };
    readonly Stat: string;
    readonly Period: number;
  };
}

interface Alarm {
  readonly AlarmDescription: string;
  readonly Metrics: readonly MetricQuery[];
  readonly Threshold: number;
}

/** By the name of the alarm: its id without the construct `Alarms` and the hash that the CDK adds. */
function alarmsIn(context: Readonly<Record<string, unknown>> = {}): ReadonlyMap<string, Alarm> {
  const found = resourcesOf(synthesized(context).document, 'AWS::CloudWatch::Alarm');
  return new Map(
    found.map(([id, { Properties }]) => [
      id.replace(/^Alarms(.*).{8}$/, '$1'),
      Properties as unknown as Alarm,
    ]),
  );
}

function shown({ Id, Expression, MetricStat }: MetricQuery): string {
  if (MetricStat === undefined) {
    return `${Expression}`;
  }
  const { Metric, Stat, Period } = MetricStat;
  const dimensions = (Metric.Dimensions ?? []).map(({ Name, Value }) => `${Name}=${readable(Value)}`);
  return [`${Id}:`, Metric.Namespace, Metric.MetricName, ...dimensions, Stat, `${Period} s`].join(' ');
}

/** The threshold, the expression and its metrics. */
const compared: Readonly<Record<AlarmName, readonly [number, ...string[]]>> = {
  ServerErrors: [
    1,
    'FILL(100 * errors / requests, 0)',
    'errors: AWS/ApiGateway 5xx ApiId=<Api> Sum 300 s',
    'requests: AWS/ApiGateway Count ApiId=<Api> Sum 300 s',
  ],
  SlowAnswers: [4250, 'FILL(slow, 0)', 'slow: AWS/ApiGateway Latency ApiId=<Api> p99 300 s'],
  RequestsThrottled: [100, 'FILL(throttled, 0)', 'throttled: file-sync-prod RequestsThrottled Sum 300 s'],
  UploadsNotRecorded: [
    1,
    'FILL(letters, 0)',
    'letters: AWS/SQS ApproximateNumberOfMessagesVisible QueueName=<RecorderDeadLetters.QueueName> Maximum 300 s',
  ],
  UploadsReconciled: [1, 'FILL(reconciled, 0)', 'reconciled: file-sync-prod UploadsReconciled Sum 300 s'],
  UploadEventsMissing: [1, 'FILL(missing, 0)', 'missing: file-sync-prod UploadEventsMissing Sum 900 s'],
  UploadsOverdue: [1800, 'FILL(age, 0)', 'age: file-sync-prod DueUploadsAge Maximum 900 s'],
  FilesOverdue: [1, 'FILL(overdue, 0)', 'overdue: file-sync-prod FilesOverdue Sum 900 s'],
  EventsNotDelivered: [
    1,
    'FILL(SUM([undelivered, kept, unstarted]), 0)',
    'undelivered: AWS/Events FailedInvocations RuleName=<RecorderObjectCreated> Sum 300 s',
    'kept: AWS/Events InvocationsSentToDlq RuleName=<RecorderObjectCreated> Sum 300 s',
    'unstarted: AWS/Events FailedInvocations RuleName=<ReconcilerSchedule> Sum 300 s',
  ],
  SecondVersions: [1, 'FILL(seconds, 0)', 'seconds: file-sync-prod SecondVersions Sum 300 s'],
  KeysFailing: [
    1,
    // 92 days, in seconds.
    'FILL(MAX([age / 7948800, refreshes / 3, rotations]), 0)',
    'age: file-sync-prod SigningKeysAge Maximum 300 s',
    'refreshes: file-sync-prod RefreshesFailed Sum 300 s',
    'rotations: AWS/Lambda Errors FunctionName=<RotationRotateFunction> Sum 300 s',
  ],
  SecretsEnding: [1, 'FILL(ending, 0)', 'ending: file-sync-prod SecretsEnding Sum 172800 s'],
  BackgroundFailing: [
    1,
    'FILL(SUM([reconciler, unreconciled, letters, protection]), 0)',
    'reconciler: AWS/Lambda Errors FunctionName=<ReconcilerReconcileFunction> Sum 300 s',
    'unreconciled: file-sync-prod ReconciliationsFailed Sum 300 s',
    'letters: AWS/Lambda DeadLetterErrors FunctionName=<RecorderRecordFunction> Sum 300 s',
    'protection: AWS/Lambda Errors FunctionName=<ProtectionProtectFunction> Sum 300 s',
  ],
};

test.for(Object.entries(compared))('an alarm compares: %s', ([name, expected]) => {
  const { Metrics = [], Threshold } = alarmsIn().get(name) ?? {};
  expect([Threshold, ...Metrics.map(shown)]).toEqual(expected);
});

test('KeysFailing follows the setting of the rotation period', () => {
  const [compared] = alarmsIn(everySetting).get('KeysFailing')?.Metrics ?? [];
  expect(compared?.Expression).toContain(`age / ${9 * 86_400},`);
});

test('BackgroundFailing watches deletion protection only if it exists', () => {
  const [compared] = alarmsIn(everySetting).get('BackgroundFailing')?.Metrics ?? [];
  expect(compared?.Expression).toBe('FILL(SUM([reconciler, unreconciled, letters]), 0)');
});

test('RequestsThrottled counts each 429 of the access log', () => {
  const [filter, ...others] = propertiesOf(document, 'AWS::Logs::MetricFilter');
  const metric = { MetricName: 'RequestsThrottled', MetricNamespace: 'file-sync-prod', MetricValue: '1' };
  expect(filter).toMatchObject({ FilterPattern: '{ $.status = "429" }', MetricTransformations: [metric] });
  expect([readable(Object(filter).LogGroupName), others]).toEqual(['<ApiAccessLog>', []]);
});

test.for(Object.keys(alarms))('the description of %s leads to its first step and runbook', (name) => {
  const runbooksUrl = `https://wiki.example.com/${'a'.repeat(475)}`;
  const [text = '', linked = ''] = [{}, { runbooksUrl }].map(
    (settings) => alarmsIn(settings).get(name)?.AlarmDescription,
  );
  const runbook = `docs/runbooks.md#${name.toLowerCase()}`;
  expect(text).toMatch(new RegExp(`^[A-Z].+\\. First step: [a-z].+[^.]\\. Runbook: ${runbook}$`));
  expect(linked).toBe(text.replace('docs/runbooks.md', runbooksUrl));
  // CloudWatch API reference, PutMetricAlarm.
  expect(linked.length).toBeLessThanOrEqual(1024);
});
