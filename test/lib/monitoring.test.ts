import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { logMessages } from '../../lambdas/shared/log/log.ts';
import { metrics, syncRefusals, tokenRefusals } from '../../lambdas/shared/log/metrics.ts';
import { savedQueries } from '../../lib/saved-queries.ts';
import { activitySources } from '../../tools/operator/requests/activity-series.ts';
import {
  everySetting,
  listed,
  propertiesOf,
  readable,
  resourcesOf,
  synthesized,
} from '../support/synthesized.ts';

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
  readonly AlarmActions?: readonly unknown[];
  readonly OKActions?: readonly unknown[];
}

function alarmsIn(context: Readonly<Record<string, unknown>> = {}): readonly (readonly [string, Alarm])[] {
  return resourcesOf(synthesized(context).document, 'AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [
    id.replace(/^Alarms(.*).{8}$/, '$1'),
    Properties as unknown as Alarm,
  ]);
}

function shown({ Id, Expression, MetricStat }: MetricQuery): string {
  if (MetricStat === undefined) {
    return `${Expression}`;
  }
  const { Metric, Stat, Period } = MetricStat;
  const dimensions = (Metric.Dimensions ?? []).map(({ Name, Value }) => `${Name}=${readable(Value)}`);
  return [`${Id}:`, Metric.Namespace, Metric.MetricName, ...dimensions, Stat, `${Period} s`].join(' ');
}

describe('the alarms', () => {
  test('compare these metrics with these thresholds, and without data nothing is wrong', () => {
    const found = alarmsIn().map(([name, { Metrics, Threshold, TreatMissingData }]) => [
      `${name} ${Threshold} ${TreatMissingData}`,
      ...Metrics.map(shown),
    ]);
    const api = (id: string, metric: string, stat: string) =>
      `${id}: AWS/ApiGateway ${metric} ApiId=<Api> ${stat} 300 s`;
    const own = (id: string, metric: string, stat = 'Sum') => `${id}: file-sync-prod ${metric} ${stat} 300 s`;
    const lambda = (id: string, metric: string, name: string) =>
      `${id}: AWS/Lambda ${metric} FunctionName=<${name}> Sum 300 s`;
    const rule = (id: string, metric: string, name: string) =>
      `${id}: AWS/Events ${metric} RuleName=<${name}> Sum 300 s`;
    expect(found).toEqual([
      [
        'ServerErrors 1 notBreaching',
        'FILL(100 * errors / requests, 0)',
        api('errors', '5xx', 'Sum'),
        api('requests', 'Count', 'Sum'),
      ],
      ['SlowAnswers 4250 notBreaching', 'FILL(slow, 0)', api('slow', 'Latency', 'p99')],
      ['RequestsThrottled 100 notBreaching', 'FILL(throttled, 0)', own('throttled', 'RequestsThrottled')],
      [
        'UploadsNotRecorded 1 notBreaching',
        'FILL(letters, 0)',
        'letters: AWS/SQS ApproximateNumberOfMessagesVisible QueueName=<RecorderDeadLetters.QueueName> Maximum 300 s',
      ],
      ['UploadsReconciled 1 notBreaching', 'FILL(reconciled, 0)', own('reconciled', 'UploadsReconciled')],
      [
        'EventsNotDelivered 1 notBreaching',
        'FILL(SUM([undelivered, kept, unstarted]), 0)',
        rule('undelivered', 'FailedInvocations', 'RecorderObjectCreated'),
        rule('kept', 'InvocationsSentToDlq', 'RecorderObjectCreated'),
        rule('unstarted', 'FailedInvocations', 'ReconcilerSchedule'),
      ],
      ['SecondVersions 1 notBreaching', 'FILL(seconds, 0)', own('seconds', 'SecondVersions')],
      [
        'KeysFailing 1 notBreaching',
        `FILL(MAX([age / ${92 * 86_400}, refreshes / 3, rotations]), 0)`,
        own('age', 'SigningKeysAge', 'Maximum'),
        own('refreshes', 'RefreshesFailed'),
        lambda('rotations', 'Errors', 'RotationRotateFunction'),
      ],
      [
        'BackgroundFailing 1 notBreaching',
        'FILL(SUM([reconciler, unreconciled, letters, protection]), 0)',
        lambda('reconciler', 'Errors', 'ReconcilerReconcileFunction'),
        own('unreconciled', 'ReconciliationsFailed'),
        lambda('letters', 'DeadLetterErrors', 'RecorderRecordFunction'),
        lambda('protection', 'Errors', 'ProtectionProtectFunction'),
      ],
    ]);
  });

  test('follow the rotation period, and watch no deletion protection where there is none', () => {
    const alarms = new Map(alarmsIn(everySetting));
    expect(alarms.get('KeysFailing')?.Metrics[0]?.Expression).toContain(`age / ${9 * 86_400},`);
    expect(alarms.get('BackgroundFailing')?.Metrics[0]?.Expression).toBe(
      'FILL(SUM([reconciler, unreconciled, letters]), 0)',
    );
  });

  test('count each 429 of the access log', () => {
    const filters = propertiesOf<Record<string, unknown>>(document, 'AWS::Logs::MetricFilter');
    expect(filters).toMatchObject([
      {
        FilterPattern: '{ $.status = "429" }',
        MetricTransformations: [{ MetricName: 'RequestsThrottled', MetricValue: '1' }],
      },
    ]);
    expect(readable(filters[0]?.LogGroupName)).toBe('<ApiAccessLog>');
  });
});

describe('the runbooks', () => {
  test('have a section for each alarm, which its description names', async () => {
    const page = await readFile(new URL('../../docs/runbooks.md', import.meta.url), 'utf8');
    const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alarmsIn().map(([name]) => name));
    for (const [name, { AlarmDescription }] of alarmsIn()) {
      expect(AlarmDescription).toMatch(
        new RegExp(`^[A-Z].*\\. [A-Z].*\\. Runbook: docs/runbooks\\.md#${name.toLowerCase()}$`),
      );
    }
  });

  test('name log groups of the template, and messages that functions log', async () => {
    const page = await readFile(new URL('../../docs/runbooks.md', import.meta.url), 'utf8');
    const groups = resourcesOf(document, 'AWS::Logs::LogGroup').map(([id]) => id.replace(/.{8}$/, ''));
    const named = [...page.matchAll(/^log (\w+) /gm)].map(([, group = '']) => group);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((group) => !groups.includes(group))).toEqual([]);
    const messages = [...page.matchAll(/\$\.message = "(.*?)\*?"/g)].map(([, text = '']) => text);
    const logged = Object.values(logMessages);
    expect(messages.filter((text) => !logged.some((each) => each.startsWith(text)))).toEqual([]);
  });
});

describe('where alarms go', () => {
  const everything = synthesized(everySetting).document;

  test('is nowhere by default', () => {
    const actions = alarmsIn().flatMap(([, { AlarmActions = [], OKActions = [] }]) => [
      ...AlarmActions,
      ...OKActions,
    ]);
    expect(actions).toEqual([]);
    expect(resourcesOf(document, 'AWS::SNS::Topic')).toEqual([]);
  });

  test('is the mail address and the topic that are set, for each alarm by itself and for its end', () => {
    for (const [name, { AlarmActions, OKActions }] of alarmsIn(everySetting)) {
      const told = ['<AlarmsTopic>', everySetting.alarmTopicArn];
      expect([AlarmActions?.map(readable), OKActions?.map(readable)], name).toEqual([told, told]);
    }
    expect(propertiesOf(everything, 'AWS::SNS::Subscription')).toEqual([
      { Protocol: 'email', Endpoint: everySetting.alarmEmail, TopicArn: { Ref: expect.any(String) } },
    ]);
  });

  test('is a topic to which alarms of this account alone may publish, over TLS alone', () => {
    const [policy] = propertiesOf<{
      readonly PolicyDocument: { readonly Statement: readonly Record<string, unknown>[] };
    }>(everything, 'AWS::SNS::TopicPolicy');
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

describe('the dashboard', () => {
  interface Widget {
    readonly type: string;
    readonly properties: {
      readonly title: string;
      readonly alarms?: readonly string[];
      readonly metrics?: readonly (readonly (
        | string
        | { readonly label?: string; readonly stat?: string }
      )[])[];
    };
  }
  const [dashboard] = propertiesOf<{ readonly DashboardBody: unknown }>(
    document,
    'AWS::CloudWatch::Dashboard',
  );
  const { widgets } = JSON.parse(readable(dashboard?.DashboardBody)) as { widgets: readonly Widget[] };

  test('draws in each picture what its title and its labels say', () => {
    const found = widgets
      .filter(({ type }) => type === 'metric')
      .map(({ properties: { title, metrics: rows = [] } }) => [
        title,
        ...rows.map((row) => {
          const { label, stat = 'Average' } = row.find((part) => typeof part !== 'string') ?? {};
          return [`${label}:`, ...row.filter((part) => typeof part === 'string'), stat].join(' ');
        }),
      ]);
    const api = (label: string, metric: string, stat: string) =>
      `${label}: AWS/ApiGateway ${metric} ApiId <Api> ${stat}`;
    const own = (label: string, metric: string, stat = 'Sum') => `${label}: file-sync-prod ${metric} ${stat}`;
    const refused = (metric: string) => (reason: string) => own(reason, `${metric} Reason ${reason}`);
    expect(found).toEqual([
      [
        'Requests and their answers',
        api('requests', 'Count', 'Sum'),
        api('4xx', '4xx', 'Sum'),
        api('5xx', '5xx', 'Sum'),
        own('429', 'RequestsThrottled'),
      ],
      ['Time to the answer, in milliseconds', api('p50', 'Latency', 'p50'), api('p99', 'Latency', 'p99')],
      ['Tokens refused, by reason', ...tokenRefusals.map(refused('TokensRefused'))],
      ['Upload URLs refused, by reason', ...syncRefusals.map(refused('SyncsRefused'))],
      [
        'Upload URLs and uploads',
        own('URLs issued', 'SyncsIssued'),
        own('uploads completed', 'UploadsCompleted'),
        own('URLs cancelled', 'UploadsCancelled'),
        own('URLs expired unused', 'UploadsExpired'),
      ],
      ['Bytes of completed uploads', own('bytes', 'UploadBytes')],
      [
        'Uploads that were not recorded by their events',
        'events in the dead-letter queue: AWS/SQS ApproximateNumberOfMessagesVisible QueueName <RecorderDeadLetters.QueueName> Maximum',
        own('uploads reconciled', 'UploadsReconciled'),
      ],
      ['Age of the signing keys, in seconds', own('age', 'SigningKeysAge', 'Maximum')],
      [
        'Refreshes and rotations that failed',
        own('refreshes', 'RefreshesFailed'),
        'rotations: AWS/Lambda Errors FunctionName <RotationRotateFunction> Sum',
      ],
    ]);
  });

  test('shows the state of each alarm', () => {
    const states = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    expect(states.map((arn) => arn.replace(/^<Alarms(\w+)\.Arn>$/, '$1'))).toEqual(
      alarmsIn().map(([name]) => name),
    );
  });
});

test('the saved queries are in a folder of the stack, each with its logs and its question in docs/operations.md', async () => {
  const groups = {
    access: '<ApiAccessLog>',
    token: '<TokenLogs>',
    volumes: '<VolumesLogs>',
    sync: '<SyncLogs>',
    'well-known': '<WellKnownLogs>',
    'record-upload': '<RecorderRecordLogs>',
    'reconcile-uploads': '<ReconcilerReconcileLogs>',
  };
  const found = propertiesOf<{
    readonly Name: string;
    readonly QueryString: string;
    readonly LogGroupNames: readonly unknown[];
  }>(document, 'AWS::Logs::QueryDefinition').map(({ Name, QueryString, LogGroupNames }) => [
    Name,
    QueryString,
    LogGroupNames.map(readable),
  ]);
  expect(found).toEqual(
    Object.entries(savedQueries).map(([name, { query, logs }]) => [
      `file-sync-prod/${name}`,
      query.join('\n| '),
      logs.map((log) => groups[log]),
    ]),
  );
  const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  for (const [name, { question }] of Object.entries(savedQueries)) {
    expect(page).toContain(`| \`${name}\` | ${question} |`);
  }
});

test('an alarm, a picture or a page of the console reads each metric, which costs something', () => {
  const read = JSON.stringify([document, activitySources('stack', undefined)]);
  const unread = Object.keys(metrics).filter((metric) => !new RegExp(`\\b${metric}\\b`).test(read));
  expect(unread).toEqual([]);
});

test('monitoring=none, the default of dev, makes no alarm, dashboard, topic or metric, which would cost something', () => {
  const dev = synthesized({ stage: 'dev' }).document;
  const types = Object.values(dev.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /^AWS::(CloudWatch|SNS|Logs::MetricFilter)/.test(type))).toEqual([]);
  expect(dev.Outputs).not.toHaveProperty('DashboardName');
  const functions = propertiesOf<{ Environment?: { Variables: Record<string, unknown> } }>(
    dev,
    'AWS::Lambda::Function',
  );
  const namespaces = functions.map(({ Environment }) => Environment?.Variables.METRICS_NAMESPACE);
  expect(new Set(namespaces)).toEqual(new Set(['none', undefined]));
});
