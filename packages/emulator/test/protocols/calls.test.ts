import type { AwsCall } from '../../protocols/calls.ts';
import { allow, bucketWith, functionRole, prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const resources = [
  table({ 'by-owner': 'owner', 'by-time': 'time' }, { keysOnly: 'by-owner' }),
  bucketWith(),
  ...functionRole('Record', allow('s3:GetObject', 'arn:aws:s3:::test-bucket/*')),
];

let calls: AwsCall[] = [];

const runs = await prepareRuns(resources);
const aws = await runs.start({ onCall: (call) => calls.push(call) });

it('writes cost a unit per KB of the item and of changed indexes', async () => {
  const { dynamodb } = clients(aws);
  const TableName = 'test-Table';
  const Key = { id: { S: 'a' } };
  const units = async (send: () => Promise<unknown>) => {
    calls = [];
    await send().catch(() => undefined);
    return calls.map((call) => call.units);
  };
  const set = (name: string, value: string, ConditionExpression?: string) =>
    units(() =>
      dynamodb.updateItem({
        TableName,
        Key,
        UpdateExpression: 'SET #n = :v',
        ExpressionAttributeNames: { '#n': name },
        ExpressionAttributeValues: { ':v': { S: value } },
        ConditionExpression,
      }),
    );
  const put = { TableName, Item: { ...Key, owner: { S: 'acme' } } };
  expect(await units(() => dynamodb.putItem(put))).toEqual([2]);
  expect(await set('note', 'n')).toEqual([1]);
  expect(await set('time', '1')).toEqual([2]);
  expect(await set('time', '2')).toEqual([3]);
  expect(await set('note', 'n'.repeat(2000))).toEqual([4]);
  expect(await set('note', 'n', '#n = :v')).toEqual([1]);
});

it('calls are reported with session and operation', async () => {
  calls = [];
  const head = { Bucket: 'test-bucket', Key: 'never-put' };
  // S3 reports a missing key only to callers who may list the bucket.
  await expect(clients(aws, 'Record').s3.headObject(head)).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  });
  expect(calls).toEqual([{ service: 's3', operation: 'HeadObject', caller: 'record' }]);
});
