import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  prepareRuns,
  resource,
  roleArnOf,
} from '../support/aws-services.ts';

const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/test-Letters';

function alarm(id: string, Threshold = 1) {
  return resource(id, 'AWS::CloudWatch::Alarm', {
    AlarmDescription: 'Letters wait',
    Metrics: [
      { Id: 'e', Expression: 'letters' },
      {
        Id: 'letters',
        ReturnData: false,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/SQS',
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Dimensions: [{ Name: 'QueueName', Value: 'test-Letters' }],
          },
          Period: 300,
          Stat: 'Maximum',
        },
      },
    ],
    EvaluationPeriods: 1,
    Threshold,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
  });
}

const resources = [
  resource('Letters', 'AWS::SQS::Queue', {}),
  alarm('LettersWait'),
  alarm('NothingWaits', 2),
  ...functionRole('Reader', { Effect: 'Allow', Action: 'cloudwatch:GetMetricData', Resource: '*' }),
  ...functionRole('Nobody', { Effect: 'Allow', Action: 'sqs:*', Resource: '*' }),
];

let runs: AwsRuns;
let now: Date;
beforeEach(async () => {
  runs = await prepareRuns(resources);
  now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
});
afterEach(() => runs.end());

const start = () => runs.start({ now: () => now });

async function withClient<Result>(
  aws: AwsServices,
  act: (client: CloudWatchClient) => Promise<Result>,
  credentials = aws.operatorCredentials,
): Promise<Result> {
  const client = new CloudWatchClient(clientFor(aws, credentials));
  try {
    return await act(client);
  } finally {
    client.destroy();
  }
}

async function sendLetter(aws: AwsServices): Promise<void> {
  const sqs = new SQSClient({ ...clientFor(aws), useQueueUrlAsEndpoint: false });
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'letter' }));
  sqs.destroy();
}

async function states(aws: AwsServices) {
  const command = new DescribeAlarmsCommand({ AlarmNames: ['test-NothingWaits', 'test-LettersWait'] });
  const { MetricAlarms = [] } = await withClient(aws, (client) => client.send(command));
  return MetricAlarms.map(({ AlarmName, StateValue }) => [AlarmName, StateValue]);
}

function lettersQuery(from = now) {
  return {
    StartTime: from,
    EndTime: new Date(now.getTime() + 60_000),
    MetricDataQueries: [
      {
        Id: 'letters',
        MetricStat: {
          Metric: {
            Namespace: 'AWS/SQS',
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Dimensions: [{ Name: 'QueueName', Value: 'test-Letters' }],
          },
          Period: 60,
          Stat: 'Maximum',
        },
      },
    ],
  };
}

describe('the alarms of a template', () => {
  it('begin without data, go off by a real fault, with a reason, and end', async () => {
    const aws = await start();
    expect(await states(aws)).toEqual([
      ['test-LettersWait', 'INSUFFICIENT_DATA'],
      ['test-NothingWaits', 'INSUFFICIENT_DATA'],
    ]);
    await aws.evaluateAlarms(now);
    expect(await states(aws)).toEqual([
      ['test-LettersWait', 'OK'],
      ['test-NothingWaits', 'OK'],
    ]);
    await sendLetter(aws);
    await aws.evaluateAlarms(now);
    const { MetricAlarms } = await withClient(aws, (client) =>
      client.send(new DescribeAlarmsCommand({ AlarmNames: ['test-LettersWait'] })),
    );
    expect(MetricAlarms).toEqual([
      expect.objectContaining({
        AlarmName: 'test-LettersWait',
        AlarmDescription: 'Letters wait',
        StateValue: 'ALARM',
        StateReason: expect.stringContaining('[1 ('),
        StateUpdatedTimestamp: now,
        AlarmActions: [],
        Threshold: 1,
      }),
    ]);
    expect((await states(aws))[1]).toEqual(['test-NothingWaits', 'OK']);
    // Three periods of five minutes: older data counts while newer data is missing.
    await aws.evaluateAlarms(new Date(now.getTime() + 14 * 60_000));
    expect((await states(aws))[0]?.[1]).toBe('ALARM');
    await aws.evaluateAlarms(new Date(now.getTime() + 15 * 60_000));
    expect((await states(aws))[0]?.[1]).toBe('OK');
  });

  it('are evaluated by themselves in the background', async () => {
    const aws = await start();
    await sendLetter(aws);
    aws.startBackgroundWork();
    await expect.poll(() => states(aws)).toContainEqual(['test-LettersWait', 'ALARM']);
  });
});

describe('GetMetricData', () => {
  it('answers with the data points, the newest first, and keeps them over a restart', async () => {
    const first = await start();
    const began = now;
    await sendLetter(first);
    await first.evaluateAlarms(now);
    now = new Date(now.getTime() + 120_000);
    await sendLetter(first);
    await first.evaluateAlarms(now);
    await first.close();
    const second = await start();
    const { MetricDataResults } = await withClient(second, (client) =>
      client.send(new GetMetricDataCommand(lettersQuery(began))),
    );
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

  it('refuses a statistic and an operation that the emulator does not have', async () => {
    const aws = await start();
    const query = lettersQuery();
    const [only] = query.MetricDataQueries;
    const trimmed = only && { ...only, MetricStat: { ...only.MetricStat, Stat: 'tm90' } };
    await expect(
      withClient(aws, (client) =>
        client.send(new GetMetricDataCommand({ ...query, MetricDataQueries: trimmed ? [trimmed] : [] })),
      ),
    ).rejects.toThrow('does not support the statistic tm90');
    await expect(withClient(aws, (client) => client.send(new ListMetricsCommand({})))).rejects.toThrow(
      'does not support ListMetrics',
    );
  });

  it('needs a permission', async () => {
    const aws = await start();
    const get = new GetMetricDataCommand(lettersQuery());
    const asRole = (role: string) => aws.credentialsForRole(roleArnOf(role), 'session');
    await expect(withClient(aws, (client) => client.send(get), asRole('Nobody'))).rejects.toThrow(
      'is not authorized to perform: cloudwatch:GetMetricData on resource: *',
    );
    await expect(withClient(aws, (client) => client.send(get), asRole('Reader'))).resolves.toBeDefined();
    await expect(
      withClient(aws, (client) => client.send(new DescribeAlarmsCommand({})), asRole('Reader')),
    ).rejects.toThrow('cloudwatch:DescribeAlarms');
  });
});
