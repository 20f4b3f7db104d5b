import { eventSource } from '../../../contract/upload-events.ts';
import { delivery } from '../../../tools/verify/bus.ts';
import { outcomeOf } from '../../../tools/verify/outcome.ts';
import type { Service } from '../../../tools/verify/service.ts';
import { type FakeAccount, startFakeAccount } from '../admin/support/fake-account.ts';
import { md5 } from '../upload/support/fake-service.ts';

let account: FakeAccount;
beforeEach(async () => {
  account = await startFakeAccount();
});

const ruleArn = 'arn:aws:events:us-east-1:111122223333:rule/bus/any';
const made = ['PutRule', 'CreateQueue', 'SetQueueAttributes', 'PutTargets'];
const removed = ['RemoveTargets', 'DeleteRule', 'DeleteQueue'];

/** Runs the check. Each receive returns the next message of the queue. */
function check(...messages: readonly (string | undefined)[]): Promise<unknown> {
  const { deployment } = account;
  const waiting = [...messages];
  account.replies = {
    ...Object.fromEntries([...made, ...removed].map((call) => [call, { body: {} }])),
    PutRule: { body: { RuleArn: ruleArn } },
    CreateQueue: { body: { QueueUrl: `${deployment.awsConfig.endpoint}/111122223333/any` } },
    get ReceiveMessage() {
      const Body = waiting.shift();
      return { body: { Messages: Body === undefined ? [] : [{ Body, MD5OfBody: md5(Buffer.from(Body)) }] } };
    },
  };
  const service = {
    isLocal: false,
    organisationId: 'verify-1',
    deployment,
    requestUrl: async () => ({
      url: new URL('http://127.0.0.1'),
      uploadId: 'upload-1',
      key: 'uploads/upload-1',
    }),
    put: async () => ({ status: '200', etag: '', checksum: undefined }),
    operator: { upload: async () => ({ state: 'completed', upload_id: 'upload-1' }) },
    now: Date.now,
  };
  return outcomeOf(delivery, service as unknown as Service);
}

test('it uploads until the queue receives an event', async () => {
  expect(await check(undefined, '{"detail":{"organisation_id":"verify-1"}}')).toEqual({
    verdict: 'passed',
    seen: 'The queue received the event of upload 2: upload-1.',
  });
  expect(account.calls).toEqual([...made, 'ReceiveMessage', 'ReceiveMessage', ...removed]);
});

test('its queue accepts only events of its organisation, from its rule', async () => {
  await check('{"detail":{"organisation_id":"verify-1"}}');
  const sentIn = (call: string) => JSON.parse(account.sent[call] ?? '');
  const name = sentIn('PutRule').Name;
  // The pipeline's role may create only rules and queues with such a name.
  expect(name).toMatch(/^prod-verify-\w{8}$/);
  const Arn = `arn:aws:sqs:us-east-1:111122223333:${name}`;
  const statement = {
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: Arn,
    Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  const EventPattern = `{"source":["${eventSource}"],"detail":{"organisation_id":["verify-1"]}}`;
  expect(sentIn('PutRule')).toMatchObject({ EventPattern });
  expect(sentIn('SetQueueAttributes')).toMatchObject({ Attributes: { Policy } });
  expect(sentIn('PutTargets')).toMatchObject({ Targets: [{ Arn }] });
});

test.for([
  ['no event comes', [], 'The queue received no event of 15 uploads.'],
  [
    'an event of another organisation comes',
    ['{"detail":{"organisation_id":"other"}}'],
    'The queue received the event of upload 1: upload-1.',
  ],
] as const)('if %s it fails, and removes queue and rule', async ([, received, seen]) => {
  expect(await check(...received)).toEqual({ verdict: 'failed', seen });
  expect(account.calls.slice(-3)).toEqual(removed);
});
