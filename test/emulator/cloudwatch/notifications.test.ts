import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../../emulator/aws-services.ts';
import type { Resource } from '../../../emulator/shared/resource-type.ts';
import { type AwsRuns, clientFor, prepareRuns, resource } from '../support/aws-services.ts';

/** Alarms on two queues, so that a letter to one of them raises its alarm. */

const topicArn = 'arn:aws:sns:us-east-1:000000000000:test-Topic';
const otherTopic = 'arn:aws:sns:us-east-1:000000000000:of-somebody-else';
const alarmArn = (id: string) => `arn:aws:cloudwatch:us-east-1:000000000000:alarm:test-${id}`;
const actions = { AlarmActions: [topicArn], OKActions: [topicArn] };

const topic = [
  resource('Topic', 'AWS::SNS::Topic', { DisplayName: 'Alarms' }),
  resource('Mail', 'AWS::SNS::Subscription', {
    TopicArn: topicArn,
    Protocol: 'email',
    Endpoint: 'alarms@example.com',
  }),
];

function alarm(id: string, queue: string, more: object = {}): Resource {
  return resource(id, 'AWS::CloudWatch::Alarm', {
    AlarmDescription: `Letters wait in ${queue}`,
    Metrics: [
      { Id: 'letters', Expression: 'waiting * 1' },
      {
        Id: 'waiting',
        ReturnData: false,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/SQS',
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Dimensions: [{ Name: 'QueueName', Value: `test-${queue}` }],
          },
          Period: 60,
          Stat: 'Maximum',
        },
      },
    ],
    EvaluationPeriods: 1,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
    ...more,
  });
}

const queues = ['First', 'Second'].map((id) => resource(id, 'AWS::SQS::Queue', {}));
const plain = [...queues, ...topic, alarm('FirstWaits', 'First', actions)];

/** A page on the first queue, and one on the second that the first suppresses. */
const paged = [
  ...queues,
  ...topic,
  alarm('FirstWaits', 'First'),
  alarm('SecondWaits', 'Second'),
  resource('FirstPage', 'AWS::CloudWatch::CompositeAlarm', {
    AlarmRule: `ALARM("${alarmArn('FirstWaits')}")`,
    ...actions,
  }),
  resource('SecondPage', 'AWS::CloudWatch::CompositeAlarm', {
    AlarmRule: `ALARM("${alarmArn('SecondWaits')}")`,
    ActionsSuppressor: alarmArn('FirstPage'),
    ActionsSuppressorWaitPeriod: 120,
    ActionsSuppressorExtensionPeriod: 900,
    ...actions,
  }),
];

let runs: AwsRuns;
let aws: AwsServices;
let now: Date;
afterEach(() => runs.end());

async function start(resources: readonly Resource[]): Promise<void> {
  runs = await prepareRuns(resources);
  now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  aws = await runs.start({ now: () => now });
  await aws.evaluateAlarms(now);
}

async function restart(): Promise<void> {
  await aws.close();
  aws = await runs.start({ now: () => now });
}

async function withSqs(
  queue: string,
  act: (sqs: SQSClient, QueueUrl: string) => Promise<unknown>,
): Promise<void> {
  const sqs = new SQSClient({ ...clientFor(aws), useQueueUrlAsEndpoint: false });
  await act(sqs, `https://sqs.us-east-1.amazonaws.com/000000000000/test-${queue}`);
  sqs.destroy();
}

const sendLetter = (queue: string) =>
  withSqs(queue, (sqs, QueueUrl) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'letter' })));

const takeLetter = (queue: string) =>
  withSqs(queue, async (sqs, QueueUrl) => {
    const { Messages: [{ ReceiptHandle = '' } = {}] = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl }),
    );
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  });

async function passSeconds(seconds: number): Promise<void> {
  now = new Date(now.getTime() + seconds * 1000);
  await aws.evaluateAlarms(now);
}

interface Line {
  readonly at: string;
  readonly topic_arn: string;
  readonly subject: string;
  readonly message: string;
}

async function notifications(): Promise<readonly Line[]> {
  const text = await readFile(join(runs.stateDirectory, 'notifications.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

const subjects = async () => (await notifications()).map(({ subject }) => subject.split(' in ')[0]);

describe('an alarm with actions', () => {
  it('tells its topic of the change, in the words of CloudWatch', async () => {
    await start(plain);
    await sendLetter('First');
    await aws.evaluateAlarms(now);
    const [ok, raised, ...more] = await notifications();
    expect(more).toEqual([]);
    expect(ok?.subject).toBe('OK: "test-FirstWaits" in US East (N. Virginia)');
    expect(raised).toEqual({
      at: now.toISOString(),
      topic_arn: topicArn,
      subject: 'ALARM: "test-FirstWaits" in US East (N. Virginia)',
      message: expect.any(String),
      sent_to: [{ protocol: 'email', endpoint: 'alarms@example.com' }],
    });
    expect(JSON.parse(raised?.message ?? '')).toMatchObject({
      AlarmName: 'test-FirstWaits',
      AlarmDescription: 'Letters wait in First',
      AWSAccountId: '000000000000',
      AlarmArn: alarmArn('FirstWaits'),
      OldStateValue: 'OK',
      NewStateValue: 'ALARM',
      NewStateReason: expect.stringContaining('[1 ('),
      StateChangeTime: now.toISOString().replace('Z', '+0000'),
      Region: 'US East (N. Virginia)',
      AlarmActions: [topicArn],
      OKActions: [topicArn],
      InsufficientDataActions: [],
      Trigger: { Threshold: 0, ComparisonOperator: 'GreaterThanThreshold', Metrics: expect.any(Array) },
    });
  });

  it('tells once of each state, also over a restart', async () => {
    await start(plain);
    await sendLetter('First');
    await aws.evaluateAlarms(now);
    await passSeconds(60);
    await restart();
    await passSeconds(60);
    expect(await subjects()).toEqual(['OK: "test-FirstWaits"', 'ALARM: "test-FirstWaits"']);
  });

  it('tells nobody when its actions are turned off, nor when it has none', async () => {
    await start([
      ...plain.slice(0, -1),
      alarm('FirstWaits', 'First', { ...actions, ActionsEnabled: false }),
      alarm('FirstWaitsToo', 'First'),
    ]);
    await sendLetter('First');
    await aws.evaluateAlarms(now);
    expect(await notifications()).toEqual([]);
  });

  it('tells a topic that the template does not have, whose subscribers nobody knows', async () => {
    await start([...queues, alarm('FirstWaits', 'First', { AlarmActions: [otherTopic] })]);
    await sendLetter('First');
    await aws.evaluateAlarms(now);
    const lines = await notifications();
    expect(lines.map(({ topic_arn }) => topic_arn)).toEqual([otherTopic]);
    expect(lines[0]).not.toHaveProperty('sent_to');
  });

  it('cuts a subject that SNS would not take', async () => {
    const id = `Alarm${'0'.repeat(100)}`;
    await start([...queues, ...topic, alarm(id, 'First', actions)]);
    expect((await notifications()).map(({ subject }) => subject.length)).toEqual([100]);
  });

  it.each([
    ['of CloudWatch in this account', { 'aws:SourceAccount': '000000000000' }, 1],
    ['of CloudWatch in another account', { 'aws:SourceAccount': '111122223333' }, 0],
  ])('may tell a topic whose policy is for alarms %s, or may not', async (_, StringEquals, count) => {
    const statement = {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: topicArn,
      Condition: { StringEquals, ArnLike: { 'aws:SourceArn': alarmArn('*').replace('test-', '') } },
    };
    const PolicyDocument = { Version: '2012-10-17', Statement: [statement] };
    await start([
      ...plain,
      resource('Policy', 'AWS::SNS::TopicPolicy', { Topics: [topicArn], PolicyDocument }),
    ]);
    expect(await notifications()).toHaveLength(count);
  });

  it('obeys the policy that a topic has inline', async () => {
    const statement = { Effect: 'Deny', Principal: '*', Action: 'sns:Publish', Resource: topicArn };
    const PolicyDocument = { Version: '2012-10-17', Statement: [statement] };
    await start([
      ...plain,
      resource('Policy', 'AWS::SNS::TopicInlinePolicy', { TopicArn: topicArn, PolicyDocument }),
    ]);
    expect(await notifications()).toEqual([]);
  });
});

/** CloudWatch User Guide, "Suppressing composite alarm actions". */
describe('a page that another suppresses', () => {
  const told = async () => (await subjects()).filter((subject) => !subject?.startsWith('OK'));

  it('tells after its wait period when the suppressor stays quiet', async () => {
    await start(paged);
    await sendLetter('Second');
    await aws.evaluateAlarms(now);
    expect(await told()).toEqual([]);
    await passSeconds(119);
    expect(await told()).toEqual([]);
    await passSeconds(1);
    expect(await told()).toEqual(['ALARM: "test-SecondPage"']);
  });

  it('tells nothing when the suppressor is raised, also within the wait period', async () => {
    await start(paged);
    await sendLetter('Second');
    await aws.evaluateAlarms(now);
    await passSeconds(60);
    await sendLetter('First');
    await aws.evaluateAlarms(now);
    await passSeconds(600);
    expect(await told()).toEqual(['ALARM: "test-FirstPage"']);
  });

  it('tells when it lasts longer than the suppressor and the extension period', async () => {
    await start(paged);
    for (const queue of ['First', 'Second']) {
      await sendLetter(queue);
    }
    await aws.evaluateAlarms(now);
    await takeLetter('First');
    await passSeconds(240);
    expect((await subjects()).at(-1)).toBe('OK: "test-FirstPage"');
    await passSeconds(899);
    expect(await told()).toEqual(['ALARM: "test-FirstPage"']);
    await passSeconds(1);
    expect(await told()).toEqual(['ALARM: "test-FirstPage"', 'ALARM: "test-SecondPage"']);
  });
});

describe('a dashboard', () => {
  it('is JSON with widgets', () => {
    const make = (DashboardBody: string) => () =>
      resource('Board', 'AWS::CloudWatch::Dashboard', { DashboardBody });
    expect(make('{"widgets":[]}')).not.toThrow();
    for (const body of ['', '{', '{}', '[]', '{"widgets":{}}']) {
      expect(make(body), body).toThrow('must be the JSON of an object with a list of widgets');
    }
  });
});

describe('an alarm that cannot be evaluated', () => {
  const metric = {
    Metric: { Namespace: 'N', MetricName: 'M' },
    Period: 60,
    Stat: 'Sum',
  };
  const rule = { EvaluationPeriods: 1, Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' };
  const one = { Id: 'one', MetricStat: metric, ReturnData: false };
  it.each([
    ['no expression', [{ ...one, ReturnData: true }], 'one expression alone must return data'],
    [
      'two expressions',
      [{ Id: 'e', Expression: 'one' }, { Id: 'f', Expression: 'one' }, one],
      'one expression alone must return data',
    ],
    ['an unknown metric', [{ Id: 'e', Expression: 'two' }, one], 'names two, which is not among the metrics'],
    ['an unknown function', [{ Id: 'e', Expression: 'RATE(one)' }, one], 'the function RATE'],
    [
      'two periods',
      [
        { Id: 'e', Expression: 'one + two' },
        one,
        { Id: 'two', MetricStat: { ...metric, Period: 300 }, ReturnData: false },
      ],
      'must have one period',
    ],
    [
      'a statistic',
      [
        { Id: 'e', Expression: 'one' },
        { ...one, MetricStat: { ...metric, Stat: 'tm90' } },
      ],
      'the statistic tm90',
    ],
  ])('stops the start because of %s', async (_, Metrics, problem) => {
    runs = await prepareRuns([resource('Bad', 'AWS::CloudWatch::Alarm', { ...rule, Metrics })]);
    await expect(runs.start()).rejects.toThrow(problem);
  });

  it('stops the start because of metrics beside a metric, and of a metric without a name', async () => {
    for (const properties of [
      { MetricName: 'M', Metrics: [{ Id: 'e', Expression: 'one' }, one] },
      { Namespace: 'N', Period: 60, Statistic: 'Sum' },
    ]) {
      runs = await prepareRuns([resource('Bad', 'AWS::CloudWatch::Alarm', { ...rule, ...properties })]);
      await expect(runs.start()).rejects.toThrow(/Bad: an alarm /);
      await runs.end();
    }
  });

  it('stops the start because of a suppressor that does not exist', async () => {
    runs = await prepareRuns([
      resource('Bad', 'AWS::CloudWatch::CompositeAlarm', { AlarmRule: 'FALSE', ActionsSuppressor: 'x' }),
    ]);
    await expect(runs.start()).rejects.toThrow('Bad: its suppressor x is not an alarm made before it');
  });
});
