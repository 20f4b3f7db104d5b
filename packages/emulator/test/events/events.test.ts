import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import { faultsFile, setFaults } from '../../endpoint/faults.ts';
import type { InvokeFunction, InvokeResult } from '../../lambda/invoke.ts';
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
import { clients, lettersIn } from '../support/clients.ts';

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

interface Event {
  readonly detail: { readonly object: { readonly key: string } };
}

let runs: AwsRuns;
beforeEach(async () => {
  runs = await prepareRuns(resources);
});

async function start(options: Partial<AwsRunOptions>): Promise<AwsServices> {
  const aws = await runs.start(options);
  aws.startBackgroundWork();
  return aws;
}

const putObject = (aws: AwsServices, Key: string, Body = 'content') =>
  clients(aws).s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));

const letters = (aws: AwsServices) => lettersIn(aws, 'Letters');

const failed: InvokeResult = { ok: false, error: { errorType: 'Error', errorMessage: 'table is away' } };

const waiting = () => readdir(join(runs.stateDirectory, 'events'));

/** A function that takes events, and the keys of their objects in order. */
function taking() {
  const keys: string[] = [];
  const events: unknown[] = [];
  const invoke: InvokeFunction = async (_, payload) => {
    keys.push((payload as Event).detail.object.key);
    events.push(payload);
    return { ok: true, payload: null };
  };
  return { keys, events, invoke };
}

describe('the event of a new object', () => {
  it('comes with the version of the object to the rule that matches', async () => {
    const { keys, events, invoke } = taking();
    const aws = await start({ invoke });
    await putObject(aws, 'other/1');
    const { VersionId } = await putObject(aws, 'uploads/1');
    await expect.poll(() => keys).toEqual(['uploads/1']);
    const sequencer = expect.stringMatching(/^[0-9A-F]{18}$/);
    expect(events).toMatchObject([{ detail: { object: { 'version-id': VersionId, sequencer } } }]);
    await expect.poll(waiting).toEqual([]);
  });

  it('is lost when SQS refuses its dead letter', async () => {
    const invoke = async () => failed;
    const aws = await start({ invoke, faultsFile: faultsFile(runs.stateDirectory) });
    setFaults(runs.stateDirectory, { sqs: [{ fault: 'failing', calls: 1 }] });
    await putObject(aws, 'uploads/1');
    await aws.eventsSettled();
    expect(await letters(aws)).toEqual([]);
    await putObject(aws, 'uploads/2');
    await aws.eventsSettled();
    expect(await letters(aws)).toHaveLength(1);
  });

  it('comes after a restart when it did not come before', async () => {
    const never = await runs.start();
    await putObject(never, 'uploads/1');
    await never.close();
    expect(await waiting()).toHaveLength(1);
    const { keys, invoke } = taking();
    await start({ invoke });
    await expect.poll(() => keys).toEqual(['uploads/1']);
    await expect.poll(waiting).toEqual([]);
  });
});
