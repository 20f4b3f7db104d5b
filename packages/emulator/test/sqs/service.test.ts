import { expect, test } from 'vitest';
import { prepareRuns, resource } from '../support/aws-services.ts';
import { clients, lettersIn, queueUrl } from '../support/clients.ts';

const letters = resource('Letters', 'AWS::SQS::Queue', {});
const runs = await prepareRuns([
  letters,
  resource('Queue', 'AWS::SQS::Queue', {
    RedrivePolicy: { deadLetterTargetArn: letters.attributes.Arn, maxReceiveCount: 1 },
  }),
]);
const aws = await runs.start();
const { sqs } = clients(aws);
const QueueUrl = queueUrl('Queue');
const send = (MessageBody: string) => sqs.sendMessage({ QueueUrl, MessageBody });
const receive = (WaitTimeSeconds = 0) =>
  sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0, WaitTimeSeconds });

test('a queue returns its ARN, and rejects unsupported attributes by name', async () => {
  const get = (name: 'All' | 'QueueArn') =>
    sqs.getQueueAttributes({ QueueUrl: queueUrl('Letters'), AttributeNames: [name] });
  const { Attributes } = await get('QueueArn');
  expect(Attributes).toEqual({ QueueArn: letters.attributes.Arn });
  await expect(get('All')).rejects.toThrow('AttributeNames All');
});

test('a message received too often becomes a dead letter with its id', async () => {
  const { MessageId } = await send('letter');
  await receive();
  await receive();
  expect(await lettersIn(aws, 'Letters')).toMatchObject([{ MessageId, Body: 'letter' }]);
});

test('a waiting receiver gets a new message', async () => {
  const received = receive(20);
  const { MessageId } = await send('letter');
  expect((await received).Messages).toMatchObject([{ MessageId }]);
});

const wrongMessages = [
  { title: 'control characters', body: 'a\u0000', error: 'InvalidMessageContents' },
  { title: 'more than 1 MiB', body: 'a'.repeat(1024 * 1024 + 1), error: 'InvalidParameterValue' },
];

test.for(wrongMessages)('rejects a message of $title', async ({ body, error }) => {
  await expect(send(body)).rejects.toMatchObject({ name: error });
});
