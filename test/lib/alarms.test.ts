import { describe, expect, test } from 'vitest';
import { type AlarmName, alarms } from '../../lib/monitoring/alarms.ts';
import { everySetting, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

/** What an alarm does is tested in test/system/alarms/, and its places on the pages in test/tools/generate/. */

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
  readonly TreatMissingData: string;
}

interface MetricFilter {
  readonly LogGroupName: unknown;
  readonly MetricTransformations: readonly { readonly MetricName: string }[];
}

/** By the name of the alarm, which is its id without the construct `Alarms` and the hash that the CDK adds. */
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

describe('an alarm compares, and without data nothing is wrong:', () => {
  const api = (id: string, metric: string, stat: string) =>
    `${id}: AWS/ApiGateway ${metric} ApiId=<Api> ${stat} 300 s`;
  const own = (id: string, metric: string, stat = 'Sum') => `${id}: file-sync-prod ${metric} ${stat} 300 s`;
  const lambda = (id: string, metric: string, name: string) =>
    `${id}: AWS/Lambda ${metric} FunctionName=<${name}> Sum 300 s`;
  const rule = (id: string, metric: string, name: string) =>
    `${id}: AWS/Events ${metric} RuleName=<${name}> Sum 300 s`;
  /** The threshold, the expression and its metrics. */
  const compared: Readonly<Record<AlarmName, readonly [number, ...string[]]>> = {
    ServerErrors: [
      1,
      'FILL(100 * errors / requests, 0)',
      api('errors', '5xx', 'Sum'),
      api('requests', 'Count', 'Sum'),
    ],
    SlowAnswers: [4250, 'FILL(slow, 0)', api('slow', 'Latency', 'p99')],
    RequestsThrottled: [100, 'FILL(throttled, 0)', own('throttled', 'RequestsThrottled')],
    UploadsNotRecorded: [
      1,
      'FILL(letters, 0)',
      'letters: AWS/SQS ApproximateNumberOfMessagesVisible QueueName=<RecorderDeadLetters.QueueName> Maximum 300 s',
    ],
    UploadsReconciled: [1, 'FILL(reconciled, 0)', own('reconciled', 'UploadsReconciled')],
    EventsNotDelivered: [
      1,
      'FILL(SUM([undelivered, kept, unstarted]), 0)',
      rule('undelivered', 'FailedInvocations', 'RecorderObjectCreated'),
      rule('kept', 'InvocationsSentToDlq', 'RecorderObjectCreated'),
      rule('unstarted', 'FailedInvocations', 'ReconcilerSchedule'),
    ],
    SecondVersions: [1, 'FILL(seconds, 0)', own('seconds', 'SecondVersions')],
    KeysFailing: [
      1,
      `FILL(MAX([age / ${92 * 86_400}, refreshes / 3, rotations]), 0)`,
      own('age', 'SigningKeysAge', 'Maximum'),
      own('refreshes', 'RefreshesFailed'),
      lambda('rotations', 'Errors', 'RotationRotateFunction'),
    ],
    BackgroundFailing: [
      1,
      'FILL(SUM([reconciler, unreconciled, letters, protection]), 0)',
      lambda('reconciler', 'Errors', 'ReconcilerReconcileFunction'),
      own('unreconciled', 'ReconciliationsFailed'),
      lambda('letters', 'DeadLetterErrors', 'RecorderRecordFunction'),
      lambda('protection', 'Errors', 'ProtectionProtectFunction'),
    ],
  };

  test.for(Object.entries(compared))('%s', ([name, expected]) => {
    const { Metrics = [], Threshold, TreatMissingData } = alarmsIn().get(name) ?? {};
    expect([Threshold, ...Metrics.map(shown)]).toEqual(expected);
    expect(TreatMissingData).toBe('notBreaching');
  });
});

test('KeysFailing follows the setting of the rotation period', () => {
  const [compared] = alarmsIn(everySetting).get('KeysFailing')?.Metrics ?? [];
  expect(compared?.Expression).toContain(`age / ${9 * 86_400},`);
});

test('BackgroundFailing watches no deletion protection where there is none', () => {
  const [compared] = alarmsIn(everySetting).get('BackgroundFailing')?.Metrics ?? [];
  expect(compared?.Expression).toBe('FILL(SUM([reconciler, unreconciled, letters]), 0)');
});

test('RequestsThrottled counts each 429 of the access log', () => {
  const filters = propertiesOf<MetricFilter>(document, 'AWS::Logs::MetricFilter');
  const [filter] = filters.filter(
    ({ MetricTransformations: [made] }) => made?.MetricName === 'RequestsThrottled',
  );
  expect(filter).toMatchObject({
    FilterPattern: '{ $.status = "429" }',
    MetricTransformations: [{ MetricNamespace: 'file-sync-prod', MetricValue: '1' }],
  });
  expect(readable(filter?.LogGroupName)).toBe('<ApiAccessLog>');
});

test.for(Object.keys(alarms))(
  'the description of %s says what happened, what to do, and its runbook',
  (name) => {
    const runbook = `docs/runbooks\\.md#${name.toLowerCase()}`;
    expect(alarmsIn().get(name)?.AlarmDescription).toMatch(
      new RegExp(`^[A-Z].+\\. [A-Z].+\\. Runbook: ${runbook}$`),
    );
  },
);
