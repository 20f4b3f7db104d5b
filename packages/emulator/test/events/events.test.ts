import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { InvokeFunction } from '../../lambda/invoke.ts';
import type { RunningServices } from '../../running-services.ts';
import {
  type AwsRunOptions,
  type AwsRuns,
  allow,
  bucketWith,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  queueFor,
  resource,
} from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const bucket = 'test-bucket';
const queueArn = 'arn:aws:sqs:us-east-1:000000000000:test-Letters';
const ruleArn = 'arn:aws:events:us-east-1:000000000000:rule/test-Rule';
const resources = [
  bucketWith({ NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } } }),
  resource('Letters', 'AWS::SQS::Queue', {}),
  queueFor('Letters', ruleArn),
  ...functionRole('Role', allow('sqs:SendMessage', queueArn)),
  lambda('Record', { DeadLetterConfig: { TargetArn: queueArn } }),
  permission('Record', 'events.amazonaws.com', { SourceArn: ruleArn }),
  resource('Rule', 'AWS::Events::Rule', {
    EventPattern: {
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [bucket] }, object: { key: [{ prefix: 'uploads/' }] } },
    },
    Targets: [
      {
        Id: 'one',
        Arn: functionArn('Record'),
        DeadLetterConfig: { Arn: queueArn },
        RetryPolicy: { MaximumRetryAttempts: 3 },
      },
    ],
  }),
];

let runs: AwsRuns;
beforeEach(async () => {
  runs = await prepareRuns(resources);
});

async function start(options: Partial<AwsRunOptions>): Promise<RunningServices> {
  const aws = await runs.start(options);
  aws.startBackgroundWork();
  return aws;
}

const putObject = (aws: RunningServices, Key: string) =>
  clients(aws).s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'content' }));

const waiting = () => readdir(join(runs.stateDirectory, 'events'));

/** Creates a function that receives events. */
function taking() {
  const events: unknown[] = [];
  const invoke: InvokeFunction = async (_, payload) => ({ ok: true, payload: events.push(payload) });
  return { events, invoke };
}

describe('the event of a new object', () => {
  it('reaches the matching rule, with the version of the object', async () => {
    const { events, invoke } = taking();
    const aws = await start({ invoke });
    await putObject(aws, 'other/1');
    const { VersionId } = await putObject(aws, 'uploads/1');
    // The recording `object-created` covers the other members.
    const object = { key: 'uploads/1', 'version-id': VersionId };
    await expect.poll(() => events).toMatchObject([{ detail: { object } }]);
    await expect.poll(waiting).toEqual([]);
  });

  it('is delivered after a restart if it was not delivered before', async () => {
    const never = await runs.start();
    await putObject(never, 'uploads/1');
    await never.close();
    expect(await waiting()).toHaveLength(1);
    const { events, invoke } = taking();
    await start({ invoke });
    await expect.poll(() => events).toMatchObject([{ detail: { object: { key: 'uploads/1' } } }]);
    await expect.poll(waiting).toEqual([]);
  });
});
