import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { type AwsRuns, clientFor, prepareRuns, resource } from '../support/aws-services.ts';

/** An alarm on a queue, so that a letter raises it. */

const topicArn = 'arn:aws:sns:us-east-1:000000000000:test-Topic';
const otherTopic = 'arn:aws:sns:us-east-1:000000000000:of-somebody-else';
const alarmArn = (id: string) => `arn:aws:cloudwatch:us-east-1:000000000000:alarm:test-${id}`;
const ofAccount = 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:*';
const actions = { AlarmActions: [topicArn], OKActions: [topicArn] };

const topicFor = (conditions: object) => [
  resource('Topic', 'AWS::SNS::Topic', { DisplayName: 'Alarms' }),
  resource('Policy', 'AWS::SNS::TopicPolicy', {
    Topics: [topicArn],
    PolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: topicArn,
          Condition: { StringEquals: conditions, ArnLike: { 'aws:SourceArn': ofAccount } },
        },
      ],
    },
  }),
  resource('Mail', 'AWS::SNS::Subscription', {
    TopicArn: topicArn,
    Protocol: 'email',
    Endpoint: 'alarms@example.com',
  }),
];

const topic = topicFor({ 'aws:SourceAccount': '000000000000' });

function alarm(id: string, more: object = {}): Resource {
  return resource(id, 'AWS::CloudWatch::Alarm', {
    AlarmDescription: 'Letters wait',
    Metrics: [
      { Id: 'letters', Expression: 'waiting' },
      {
        Id: 'waiting',
        ReturnData: false,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/SQS',
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Dimensions: [{ Name: 'QueueName', Value: 'test-First' }],
          },
          Period: 60,
          Stat: 'Maximum',
        },
      },
    ],
    EvaluationPeriods: 1,
    Threshold: 1,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    ...more,
  });
}

const queue = resource('First', 'AWS::SQS::Queue', {});

const plain = [queue, ...topic, alarm('FirstWaits', actions)];

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

async function sendLetter(): Promise<void> {
  const sqs = new SQSClient({ ...clientFor(aws), useQueueUrlAsEndpoint: false });
  const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/test-First';
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'letter' }));
  sqs.destroy();
}

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
    await sendLetter();
    await aws.evaluateAlarms(now);
    const [ok, raised, ...more] = await notifications();
    expect(more).toEqual([]);
    expect(ok?.subject).toBe('OK: "test-FirstWaits" in us-east-1');
    expect(raised).toEqual({
      at: now.toISOString(),
      topic_arn: topicArn,
      subject: 'ALARM: "test-FirstWaits" in us-east-1',
      message: expect.any(String),
      sent_to: [{ protocol: 'email', endpoint: 'alarms@example.com' }],
    });
    expect(JSON.parse(raised?.message ?? '')).toMatchObject({
      AlarmName: 'test-FirstWaits',
      AlarmDescription: 'Letters wait',
      AWSAccountId: '000000000000',
      AlarmArn: alarmArn('FirstWaits'),
      OldStateValue: 'OK',
      NewStateValue: 'ALARM',
      NewStateReason: expect.stringContaining('[1 ('),
      StateChangeTime: now.toISOString().replace('Z', '+0000'),
      Region: 'us-east-1',
    });
  });

  it('tells once of each state, also over a restart', async () => {
    await start(plain);
    await sendLetter();
    await aws.evaluateAlarms(now);
    await passSeconds(60);
    await restart();
    await passSeconds(60);
    expect(await subjects()).toEqual(['OK: "test-FirstWaits"', 'ALARM: "test-FirstWaits"']);
  });

  it('tells a topic that the template does not have, whose subscribers nobody knows', async () => {
    await start([queue, alarm('FirstWaits', { AlarmActions: [otherTopic] })]);
    await sendLetter();
    await aws.evaluateAlarms(now);
    const lines = await notifications();
    expect(lines.map(({ topic_arn }) => topic_arn)).toEqual([otherTopic]);
    expect(lines[0]).not.toHaveProperty('sent_to');
  });

  it('tells no topic whose policy is for alarms of another account', async () => {
    await start([queue, ...topicFor({ 'aws:SourceAccount': '111122223333' }), alarm('FirstWaits', actions)]);
    expect(await notifications()).toEqual([]);
  });
});

describe('an alarm that cannot be evaluated', () => {
  const metric = {
    Metric: { Namespace: 'N', MetricName: 'M' },
    Period: 60,
    Stat: 'Sum',
  };
  const rule = {
    EvaluationPeriods: 1,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
  };
  const one = { Id: 'one', MetricStat: metric, ReturnData: false };
  it.each([
    ['an unknown metric', [{ Id: 'e', Expression: 'two' }, one], 'names two, which is not among the metrics'],
    [
      'two periods',
      [
        { Id: 'e', Expression: 'one * two' },
        one,
        { Id: 'two', MetricStat: { ...metric, Period: 300 }, ReturnData: false },
      ],
      'must have one period',
    ],
  ])('stops the start because of %s', async (_, Metrics, problem) => {
    runs = await prepareRuns([resource('Bad', 'AWS::CloudWatch::Alarm', { ...rule, Metrics })]);
    await expect(runs.start()).rejects.toThrow(problem);
  });
});
