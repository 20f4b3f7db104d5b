import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { eventSource } from '../../../contract/upload-events.ts';
import { delivery } from '../../../tools/verify/bus.ts';
import { outcomeOf } from '../../../tools/verify/outcome.ts';
import type { Service } from '../../../tools/verify/service.ts';
import { listen } from '../../support/listen.ts';

/**
 * Messages of the fake queue, one for each receive. The fake EventBridge and SQS support only the calls of
 * the check.
 */
let messages: (string | undefined)[];
let calls: string[];
/** Request body of each call. */
let sent: Record<string, Readonly<Record<string, unknown>>>;

const ruleArn = 'arn:aws:events:eu-west-1:111122223333:rule/bus/any';

const server = createServer(async (request, response) => {
  const given = await text(request);
  const call = String(request.headers['x-amz-target']).replace(/^.*\./, '');
  calls.push(call);
  sent[call] = JSON.parse(given);
  const body = call === 'ReceiveMessage' ? messages.shift() : undefined;
  const responses: Readonly<Record<string, object>> = {
    PutRule: { RuleArn: ruleArn },
    CreateQueue: { QueueUrl: `${endpoint}/111122223333/any` },
    ReceiveMessage: { Messages: body === undefined ? [] : [{ Body: body, MD5OfBody: md5(body) }] },
  };
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(responses[call] ?? {}));
});
const md5 = (body: string) => createHash('md5').update(body).digest('hex');
const endpoint = await listen(server);

beforeEach(() => {
  calls = [];
  sent = {};
});

function check(): Promise<unknown> {
  const service = {
    isLocal: false,
    organisationId: 'verify-1',
    deployment: {
      stackName: 'file-sync-dev',
      awsConfig: {
        region: 'eu-west-1',
        endpoint,
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      },
      outputs: { EventBusName: 'bus' },
    },
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

const made = ['PutRule', 'CreateQueue', 'SetQueueAttributes', 'PutTargets'];
const removed = ['RemoveTargets', 'DeleteRule', 'DeleteQueue'];

test('it uploads until the queue receives an event', async () => {
  messages = [undefined, '{"detail":{"organisation_id":"verify-1"}}'];
  expect(await check()).toEqual({
    verdict: 'passed',
    seen: 'The queue received the event of upload 2: upload-1.',
  });
  expect(calls).toEqual([...made, 'ReceiveMessage', 'ReceiveMessage', ...removed]);
});

test('its queue accepts only events of its organisation, from its rule', async () => {
  messages = ['{"detail":{"organisation_id":"verify-1"}}'];
  await check();
  const name = String(sent.PutRule?.Name);
  // The pipeline's role may create only rules and queues with such a name.
  expect(name).toMatch(/^file-sync-dev-verify-\w{8}$/);
  const Arn = `arn:aws:sqs:eu-west-1:111122223333:${name}`;
  const statement = {
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: Arn,
    Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  expect(sent).toMatchObject({
    PutRule: { EventPattern: `{"source":["${eventSource}"],"detail":{"organisation_id":["verify-1"]}}` },
    SetQueueAttributes: { Attributes: { Policy } },
    PutTargets: { Targets: [{ Arn }] },
  });
});

test.for([
  ['no event comes', [], 'The queue received no event of 15 uploads.'],
  [
    'an event of another organisation comes',
    ['{"detail":{"organisation_id":"other"}}'],
    'The queue received the event of upload 1: upload-1.',
  ],
] as const)('if %s it fails, and removes queue and rule', async ([, received, seen]) => {
  messages = [...received];
  expect(await check()).toEqual({ verdict: 'failed', seen });
  expect(calls.slice(-3)).toEqual(removed);
});
