import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAlarms } from '../../cloudwatch/template-alarms.ts';
import type { RunningServices } from '../../running-services.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { type AwsRuns, allow, functionRole, policy, prepareRuns, resource } from '../support/aws-services.ts';
import { clients, sendLetter } from '../support/clients.ts';

/** Alarms on a queue, which messages raise. */

const topicArn = 'arn:aws:sns:us-east-1:000000000000:test-Topic';
const otherTopic = 'arn:aws:sns:us-east-1:000000000000:of-somebody-else';
const actions = { AlarmActions: [topicArn], OKActions: [topicArn] };

const letters = {
  Metric: {
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Dimensions: [{ Name: 'QueueName', Value: 'test-Letters' }],
  },
  Period: 60,
  Stat: 'Maximum',
};

function alarm(id: string, more: object = {}): Resource {
  return resource(id, 'AWS::CloudWatch::Alarm', {
    AlarmDescription: 'Letters wait',
    Metrics: [
      { Id: 'e', Expression: 'letters' },
      { Id: 'letters', ReturnData: false, MetricStat: letters },
    ],
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    ...more,
  });
}

const queue = resource('Letters', 'AWS::SQS::Queue', {});

const topicFor = (account: string) => [
  resource('Topic', 'AWS::SNS::Topic', { DisplayName: 'Alarms' }),
  resource('Policy', 'AWS::SNS::TopicPolicy', {
    Topics: [topicArn],
    PolicyDocument: policy({
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: topicArn,
      Condition: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  }),
  resource('Mail', 'AWS::SNS::Subscription', {
    TopicArn: topicArn,
    Protocol: 'email',
    Endpoint: 'alarms@example.com',
  }),
];

let runs: AwsRuns;
let aws: RunningServices;
let now: Date;

const restart = async () => {
  await aws?.close();
  aws = await runs.start({ now: () => now });
};

async function start(...resources: readonly Resource[]): Promise<void> {
  runs = await prepareRuns([queue, ...resources]);
  now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  aws = await runs.start({ now: () => now });
}

/** Sends messages, lets minutes pass, and evaluates the alarms. */
async function pass(minutes: number, count = 0): Promise<void> {
  now = new Date(now.getTime() + minutes * 60_000);
  for (let sent = 0; sent < count; sent += 1) {
    await sendLetter(aws, 'Letters');
  }
  await aws.evaluateAlarms(now);
}

async function describeAlarms() {
  const { MetricAlarms = [] } = await clients(aws).cloudwatch.describeAlarms();
  return MetricAlarms;
}

const states = async () => (await describeAlarms()).map(({ StateValue }) => StateValue);

async function notifications(): Promise<readonly Readonly<Record<string, string>>[]> {
  const text = await readFile(join(runs.stateDirectory, 'notifications.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

describe('an alarm of the template', () => {
  it('starts without data, and is raised by a real fault, with a reason', async () => {
    await start(alarm('First'), alarm('Second', { Threshold: 2 }));
    expect(await states()).toEqual(['INSUFFICIENT_DATA', 'INSUFFICIENT_DATA']);
    await pass(0);
    expect(await states()).toEqual(['OK', 'OK']);
    await pass(0, 1);
    expect((await describeAlarms())[0]).toMatchObject({
      AlarmName: 'test-First',
      AlarmDescription: 'Letters wait',
      StateValue: 'ALARM',
      StateReason: expect.stringContaining('[1 ('),
      StateUpdatedTimestamp: now,
      AlarmActions: [],
      Threshold: 1,
    });
    expect(await states()).toEqual(['ALARM', 'OK']);
  });

  it('is evaluated in the background', async () => {
    await start(alarm('First'));
    await sendLetter(aws, 'Letters');
    aws.startBackgroundWork();
    await expect.poll(states).toEqual(['ALARM']);
  });

  it.for<[object[], string]>([
    [[{ Expression: 'two' }], 'the expression names two, which is not among the metrics'],
    [[{ Expression: '1' }, { Expression: '2' }], 'exactly one expression in Metrics must return data'],
    [
      [{ Expression: 'm1' }, { MetricStat: letters }, { MetricStat: { ...letters, Period: 300 } }],
      'the metrics of an expression must have one period',
    ],
  ])('that cannot be evaluated stops the start: %j', ([queries, problem]) => {
    const Metrics = queries.map((query, at) => ({
      Id: `m${at}`,
      ReturnData: 'Expression' in query,
      ...query,
    }));
    expect(() => readAlarms([alarm('Bad', { Metrics })])).toThrow(`Bad: ${problem}`);
  });
});

describe('an alarm with actions', () => {
  it('publishes each state once, also over a restart', async () => {
    await start(...topicFor('000000000000'), alarm('First', actions));
    await pass(0);
    await pass(0, 1);
    const at = now.toISOString();
    await pass(1);
    await restart();
    await pass(1);
    const [ok, raised, ...more] = await notifications();
    expect(more).toEqual([]);
    expect(ok?.subject).toBe('OK: "test-First" in us-east-1');
    expect(raised).toEqual({
      at,
      topic_arn: topicArn,
      subject: 'ALARM: "test-First" in us-east-1',
      message: expect.any(String),
      sent_to: [{ protocol: 'email', endpoint: 'alarms@example.com' }],
    });
    expect(JSON.parse(raised?.message ?? '')).toMatchObject({
      AlarmName: 'test-First',
      AlarmDescription: 'Letters wait',
      AWSAccountId: '000000000000',
      AlarmArn: 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:test-First',
      OldStateValue: 'OK',
      NewStateValue: 'ALARM',
      NewStateReason: expect.stringContaining('[1 ('),
      StateChangeTime: at.replace('Z', '+0000'),
      Region: 'us-east-1',
    });
  });

  it('publishes to a topic outside the template', async () => {
    await start(alarm('First', { AlarmActions: [otherTopic] }));
    await pass(0, 1);
    const [line] = await notifications();
    expect(line).toMatchObject({ topic_arn: otherTopic });
    expect(line).not.toHaveProperty('sent_to');
  });

  it('does not publish if the policy is for alarms of another account', async () => {
    await start(...topicFor('111122223333'), alarm('First', actions));
    await pass(0, 1);
    expect(await notifications()).toEqual([]);
  });
});

describe('DescribeAlarmHistory', () => {
  const history = async (StartDate = new Date(0)) => {
    const order = { HistoryItemType: 'StateUpdate', ScanBy: 'TimestampDescending' } as const;
    const request = { AlarmName: 'test-First', ...order, StartDate };
    const { AlarmHistoryItems = [] } = await clients(aws).cloudwatch.describeAlarmHistory(request);
    return AlarmHistoryItems.map(({ Timestamp, HistoryData = '' }) => [
      Timestamp,
      JSON.parse(HistoryData).newState.stateValue,
    ]);
  };

  it('returns the states since a time, newest first, also over a restart', async () => {
    await start(alarm('First'), alarm('Second', { Threshold: 2 }));
    const began = now;
    await pass(0);
    await pass(1, 1);
    await restart();
    expect(await history()).toEqual([
      [now, 'ALARM'],
      [began, 'OK'],
    ]);
    expect(await history(now)).toEqual([[now, 'ALARM']]);
    // The history is kept for 30 days.
    const later = new Date(now.getTime() + 30 * 24 * 3_600_000);
    await aws.evaluateAlarms(later);
    expect(await history()).not.toContainEqual([now, 'ALARM']);
  });
});

describe('GetMetricData', () => {
  const query = (StartTime: Date, MetricStat: object = letters) => ({
    StartTime,
    EndTime: new Date(now.getTime() + 60_000),
    MetricDataQueries: [{ Id: 'letters', MetricStat: { ...letters, ...MetricStat } }],
  });

  it('returns the data points from before a restart, newest first', async () => {
    await start();
    const began = now;
    await pass(0, 1);
    await pass(2, 1);
    await restart();
    const { MetricDataResults } = await clients(aws).cloudwatch.getMetricData(query(began));
    expect(MetricDataResults).toEqual([
      {
        Id: 'letters',
        Label: 'ApproximateNumberOfMessagesVisible',
        StatusCode: 'Complete',
        Timestamps: [now, began],
        Values: [2, 1],
      },
    ]);
  });

  it('rejects an unsupported statistic', async () => {
    await start();
    const { cloudwatch } = clients(aws);
    await expect(cloudwatch.getMetricData(query(now, { Stat: 'tm90' }))).rejects.toThrow(
      'the statistic tm90',
    );
  });

  it('requires a permission', async () => {
    await start(...functionRole('Reader', allow('cloudwatch:GetMetricData', '*')));
    await expect(clients(aws, 'Nobody').cloudwatch.getMetricData(query(now))).rejects.toThrow(
      'is not authorized to perform: cloudwatch:GetMetricData on resource: *',
    );
    const { cloudwatch } = clients(aws, 'Reader');
    expect((await cloudwatch.getMetricData(query(now))).MetricDataResults).toMatchObject([{ Values: [] }]);
    await expect(cloudwatch.describeAlarms()).rejects.toThrow('cloudwatch:DescribeAlarms');
  });
});
