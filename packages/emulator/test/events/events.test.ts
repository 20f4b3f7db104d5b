import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunningServices } from '../../running-services.ts';
import {
  allow,
  bucketWith,
  functionArn,
  functionRole,
  lambda,
  permission,
  prepareRuns,
  resource,
} from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const bucket = 'test-bucket';
const ruleArn = 'arn:aws:events:us-east-1:000000000000:rule/test-Rule';
const resources = [
  bucketWith({ NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } } }),
  ...functionRole('Role', allow('logs:PutLogEvents', '*')),
  lambda('Record'),
  permission('Record', 'events.amazonaws.com', { SourceArn: ruleArn }),
  resource('Rule', 'AWS::Events::Rule', {
    EventPattern: {
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [bucket] }, object: { key: [{ prefix: 'uploads/' }] } },
    },
    Targets: [{ Id: 'one', Arn: functionArn('Record') }],
  }),
];

const runs = await prepareRuns(resources);

const putObject = (aws: RunningServices, Key: string) =>
  clients(aws).s3.putObject({ Bucket: bucket, Key, Body: 'content' });

const waiting = () => readdir(join(runs.stateDirectory, 'events'));

test('the event of a new object reaches the matching rule, also after a restart', async () => {
  const before = await runs.start();
  await putObject(before, 'other/1');
  const { VersionId } = await putObject(before, 'uploads/1');
  await before.close();
  expect(await waiting()).toHaveLength(2);
  const events: unknown[] = [];
  const aws = await runs.start({
    invoke: async (_, payload) => ({ ok: true, payload: events.push(payload) }),
  });
  aws.startBackgroundWork();
  // The recording `object-created` covers the other members.
  const object = { key: 'uploads/1', 'version-id': VersionId };
  await expect.poll(() => events).toMatchObject([{ detail: { object } }]);
  await expect.poll(waiting).toEqual([]);
});
