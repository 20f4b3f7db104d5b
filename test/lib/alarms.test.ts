import { describe, expect, it } from 'vitest';
import { logMessages } from '../../lambdas/shared/log.ts';
import { listed, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';

const { document } = synthesized();

interface MetricStat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
  };
  readonly Stat: string;
  readonly Period: number;
}

interface Alarm extends Partial<MetricStat['Metric']> {
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period?: number;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: MetricStat;
  }[];
  readonly ComparisonOperator: string;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm: number;
  readonly TreatMissingData: string;
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
}

function shownMetric({
  Metric: { Namespace, MetricName, Dimensions = [] },
  Stat,
  Period,
}: MetricStat): string {
  const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${readable(Value)}`);
  return [Namespace, MetricName, ...dimensions, Stat, `${Period} s`].join(' ');
}

/** What an alarm compares, and with what, on one line for each metric. */
function shown(alarm: Alarm): readonly string[] {
  const { Namespace = '', MetricName = '', Dimensions = [], Period = 0, Metrics } = alarm;
  const Stat = alarm.Statistic ?? alarm.ExtendedStatistic ?? '';
  const measured =
    Metrics === undefined
      ? [shownMetric({ Metric: { Namespace, MetricName, Dimensions }, Stat, Period })]
      : Metrics.map(({ Id, Expression, MetricStat }) =>
          MetricStat === undefined ? `${Expression}` : `${Id}: ${shownMetric(MetricStat)}`,
        );
  const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods, TreatMissingData } = alarm;
  const rule = `${ComparisonOperator} ${Threshold}, ${DatapointsToAlarm} of ${EvaluationPeriods}, ${TreatMissingData}`;
  return [...measured, rule];
}

function alarmsOf(type: string, context: Readonly<Record<string, unknown>> = {}) {
  const alarms = resourcesOf(synthesized(context).document, type);
  return alarms.map(
    ([id, { Properties }]) => [id.replace(/^Alarms(.*).{8}$/, '$1'), Properties as unknown as Alarm] as const,
  );
}

const above = (threshold: number, missing = 'notBreaching') =>
  `GreaterThanThreshold ${threshold}, 1 of 1, ${missing}`;

const throttled = (route: string) => [
  'FILL(value, 0)',
  `value: file-sync-prod RequestsThrottled Route=${route} Sum 300 s`,
  above(100),
];

const each = (id: string, metric: (name: string) => string, names: readonly string[]) =>
  names.map((name, index) => `${id}${index + 1}: ${metric(name)} Sum 300 s`);

describe('alarms', () => {
  it('compare these metrics with these thresholds', () => {
    const alarms = alarmsOf('AWS::CloudWatch::Alarm').map(([id, alarm]) => [id, shown(alarm)]);
    expect(Object.fromEntries(alarms)).toEqual({
      ServerErrors: [
        'FILL(100 * errors / requests, 0)',
        'errors: AWS/ApiGateway 5xx ApiId=<Api> Sum 300 s',
        'requests: AWS/ApiGateway Count ApiId=<Api> Sum 300 s',
        above(1),
      ],
      SlowAnswers: ['FILL(value, 0)', 'value: AWS/ApiGateway Latency ApiId=<Api> p99 300 s', above(4250)],
      Throttles: [
        'FILL(SUM([throttled1, throttled2, throttled3, throttled4]), 0)',
        ...each('throttled', (name) => `AWS/Lambda Throttles FunctionName=<${name}Function>`, [
          'Token',
          'Volumes',
          'Sync',
          'WellKnown',
        ]),
        above(0),
      ],
      RequestsThrottledToken: throttled('POST /oauth/token'),
      RequestsThrottledVolumes: throttled('GET /v0/volumes'),
      RequestsThrottledSync: throttled('POST /v0/files/{fileId}/sync'),
      RequestsThrottledOpenidConfiguration: throttled('GET /.well-known/openid-configuration'),
      RequestsThrottledKeySet: throttled('GET /.well-known/jwks.json'),
      RequestsThrottledOpenapi: throttled('GET /v0/openapi.json'),
      UploadSignerRefused: [
        'FILL(value, 0)',
        'value: file-sync-prod UploadSignerRefused Sum 300 s',
        above(0),
      ],
      UploadsNotRecorded: [
        'AWS/SQS ApproximateNumberOfMessagesVisible QueueName=<RecorderDeadLetters.QueueName> Maximum 300 s',
        above(0),
      ],
      DeadLettersLost: [
        'FILL(SUM([lost1, lost2]), 0)',
        'lost1: AWS/Lambda DeadLetterErrors FunctionName=<RecorderRecordFunction> Sum 300 s',
        'lost2: AWS/Events InvocationsFailedToBeSentToDlq RuleName=<RecorderObjectCreated> Sum 300 s',
        above(0),
      ],
      RecordingLate: [
        'FILL(value, 0)',
        'value: AWS/Lambda AsyncEventAge FunctionName=<RecorderRecordFunction> Maximum 300 s',
        above(300_000),
      ],
      EventsDropped: [
        'FILL(value, 0)',
        'value: AWS/Lambda AsyncEventsDropped FunctionName=<RecorderRecordFunction> Sum 300 s',
        above(0),
      ],
      EventsNotDelivered: [
        'FILL(SUM([undelivered1, undelivered2]), 0)',
        'undelivered1: AWS/Events FailedInvocations RuleName=<RecorderObjectCreated> Sum 300 s',
        'undelivered2: AWS/Events InvocationsSentToDlq RuleName=<RecorderObjectCreated> Sum 300 s',
        above(0),
      ],
      UploadsReconciled: ['FILL(value, 0)', 'value: file-sync-prod UploadsReconciled Sum 300 s', above(0)],
      ReconciliationFailed: [
        'FILL(SUM([unreconciled1, unreconciled2, unreconciled3, unreconciled4]), 0)',
        'unreconciled1: file-sync-prod ReconciliationsFailed Sum 300 s',
        'unreconciled2: AWS/Lambda Errors FunctionName=<ReconcilerReconcileFunction> Sum 300 s',
        'unreconciled3: AWS/Lambda Throttles FunctionName=<ReconcilerReconcileFunction> Sum 300 s',
        'unreconciled4: AWS/Events FailedInvocations RuleName=<ReconcilerSchedule> Sum 300 s',
        above(0),
      ],
      SecondVersions: ['FILL(value, 0)', 'value: file-sync-prod SecondVersions Sum 300 s', above(0)],
      RefreshesFailed: [
        'FILL(SUM([refreshes1, refreshes2, refreshes3, refreshes4]), 0)',
        ...each('refreshes', (name) => `file-sync-prod RefreshesFailed Function=${name}`, [
          'token',
          'volumes',
          'sync',
          'well-known',
        ]),
        above(2),
      ],
      SigningKeyTooOld: ['file-sync-prod SigningKeysAge Maximum 300 s', above(92 * 86_400, 'ignore')],
      RotationFailed: [
        'FILL(value, 0)',
        'value: AWS/Lambda Errors FunctionName=<RotationRotateFunction> Sum 300 s',
        above(0),
      ],
    });
  });

  it('allow a key the age that its rotation period gives it, and two days', () => {
    const alarms = Object.fromEntries(alarmsOf('AWS::CloudWatch::Alarm', { signingKeyRotationDays: 7 }));
    expect(alarms.SigningKeyTooOld?.Threshold).toBe(9 * 86_400);
  });

  it('have at most ten metrics, which is what CloudWatch allows an expression', () => {
    for (const [id, { Metrics = [] }] of alarmsOf('AWS::CloudWatch::Alarm')) {
      expect(Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length, id).toBeLessThanOrEqual(10);
    }
  });
});

describe('metric filters', () => {
  const filters = propertiesOf<Record<string, unknown>>(document, 'AWS::Logs::MetricFilter');

  it('count each line of record-upload that reports a second version, as it is logged', () => {
    expect(filters).toContainEqual({
      LogGroupName: { Ref: expect.stringMatching(/^RecorderRecordLogs/) },
      FilterPattern: `{ $.message = "${logMessages.secondVersion}" }`,
      MetricTransformations: [
        { MetricNamespace: 'file-sync-prod', MetricName: 'SecondVersions', MetricValue: '1' },
      ],
    });
  });

  it('count each 429 of the access log, by its route', () => {
    expect(filters).toContainEqual({
      LogGroupName: { Ref: expect.stringMatching(/^ApiAccessLog/) },
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [
        {
          MetricNamespace: 'file-sync-prod',
          MetricName: 'RequestsThrottled',
          MetricValue: '1',
          Dimensions: [{ Key: 'Route', Value: '$.route' }],
        },
      ],
    });
    expect(filters).toHaveLength(2);
  });
});

interface Page {
  readonly AlarmRule: unknown;
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
  readonly ActionsSuppressor?: unknown;
  readonly ActionsSuppressorWaitPeriod?: number;
  readonly ActionsSuppressorExtensionPeriod?: number;
}

function pagesOf(context: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, Page>> {
  return Object.fromEntries(alarmsOf('AWS::CloudWatch::CompositeAlarm', context)) as unknown as Record<
    string,
    Page
  >;
}

describe('pages', () => {
  const causes = (rule: unknown) =>
    readable(rule)
      .split(' OR ')
      .map((part) => part.replace(/^ALARM\("<Alarms(\w+)\.Arn>"\)$/, '$1'));

  it('are raised by any of their alarms, and every alarm but one that tells by itself is in one of them', () => {
    const rules = Object.entries(pagesOf()).map(
      ([name, { AlarmRule }]) => [name, causes(AlarmRule)] as const,
    );
    expect(Object.keys(Object.fromEntries(rules))).toEqual([
      'ApiInTrouble',
      'UploadsInTrouble',
      'KeysInTrouble',
    ]);
    const paged = rules.flatMap(([, named]) => named);
    const ids = alarmsOf('AWS::CloudWatch::Alarm').map(([id]) => id);
    expect([...paged, 'SecondVersions'].sort()).toEqual([...ids].sort());
  });

  it('of uploads and keys keep quiet while the API is in trouble, and for some time after it', () => {
    const { ApiInTrouble, UploadsInTrouble, KeysInTrouble } = pagesOf();
    expect(ApiInTrouble).not.toHaveProperty('ActionsSuppressor');
    for (const page of [UploadsInTrouble, KeysInTrouble]) {
      expect(readable(page?.ActionsSuppressor)).toBe('<AlarmsApiInTrouble.Arn>');
      expect([page?.ActionsSuppressorWaitPeriod, page?.ActionsSuppressorExtensionPeriod]).toEqual([120, 900]);
    }
  });

  it('have no fixed name', () => {
    for (const page of Object.values(pagesOf())) {
      expect(page).not.toHaveProperty('AlarmName');
    }
  });
});

describe('where alarms go', () => {
  const theirs = 'arn:aws:sns:eu-central-1:123456789012:alarms';
  const told = (context: Readonly<Record<string, unknown>>) =>
    [...alarmsOf('AWS::CloudWatch::Alarm', context), ...Object.entries(pagesOf(context))].flatMap(
      ([id, { AlarmActions = [], OKActions = [] }]) => {
        expect(OKActions.map(readable), id).toEqual(AlarmActions.map(readable));
        return AlarmActions.length === 0 ? [] : [[id, AlarmActions.map(readable)]];
      },
    );
  const tellers = ['SecondVersions', 'ApiInTrouble', 'UploadsInTrouble', 'KeysInTrouble'];

  it('is nowhere by default', () => {
    expect(told({})).toEqual([]);
    expect(resourcesOf(document, 'AWS::SNS::Topic')).toEqual([]);
  });

  it('is a topic with a subscription, for an address', () => {
    const context = { alarmEmail: 'alarms@example.com' };
    expect(told(context)).toEqual(tellers.map((id) => [id, ['<AlarmsTopic>']]));
    const subscriptions = propertiesOf<Record<string, unknown>>(
      synthesized(context).document,
      'AWS::SNS::Subscription',
    );
    expect(subscriptions).toEqual([
      { Protocol: 'email', Endpoint: 'alarms@example.com', TopicArn: { Ref: expect.any(String) } },
    ]);
  });

  it('is the topic that is given, and both when both are', () => {
    expect(told({ alarmTopicArn: theirs })).toEqual(tellers.map((id) => [id, [theirs]]));
    const both = { alarmEmail: 'alarms@example.com', alarmTopicArn: theirs };
    expect(told(both)).toEqual(tellers.map((id) => [id, ['<AlarmsTopic>', theirs]]));
  });

  it('is a topic to which alarms of this account alone may publish, over TLS alone', () => {
    const [policy] = propertiesOf<{
      readonly PolicyDocument: { readonly Statement: readonly Record<string, unknown>[] };
    }>(synthesized({ alarmEmail: 'alarms@example.com' }).document, 'AWS::SNS::TopicPolicy');
    const statements = policy?.PolicyDocument.Statement ?? [];
    expect(statements.map(({ Effect, Action, Principal }) => [Effect, listed(Action), Principal])).toEqual([
      ['Deny', ['sns:Publish'], '*'],
      ['Allow', ['sns:Publish'], { Service: 'cloudwatch.amazonaws.com' }],
    ]);
    expect(statements[0]?.Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
    const condition = statements[1]?.Condition as Record<string, Record<string, unknown>> | undefined;
    const { StringEquals, ArnLike } = condition ?? {};
    expect(readable(StringEquals?.['aws:SourceAccount'])).toBe('<AWS::AccountId>');
    expect(readable(ArnLike?.['aws:SourceArn'])).toBe(
      'arn:<AWS::Partition>:cloudwatch:<AWS::Region>:<AWS::AccountId>:alarm:*',
    );
  });
});
