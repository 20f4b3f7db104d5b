import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { prepareRuns, resource } from '../support/aws-services.ts';
import { clients, lettersIn, queueUrl, sendLetter } from '../support/clients.ts';

const letters = resource('Letters', 'AWS::SQS::Queue', {});
const runs = await prepareRuns([
  letters,
  resource('Old', 'AWS::SQS::Queue', {}),
  resource('Queue', 'AWS::SQS::Queue', {
    RedrivePolicy: { deadLetterTargetArn: letters.attributes.Arn, maxReceiveCount: 1 },
  }),
]);
const aws = await runs.start();
const { sqs } = clients(aws);
const QueueUrl = queueUrl('Queue');
const send = (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
const receive = (WaitTimeSeconds = 0) =>
  sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, WaitTimeSeconds }));

test('a queue returns its ARN, and rejects unsupported attributes by name', async () => {
  const request = { QueueUrl: queueUrl('Letters'), AttributeNames: ['QueueArn' as const] };
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand(request));
  expect(Attributes).toEqual({ QueueArn: letters.attributes.Arn });
  const all = new GetQueueAttributesCommand({ ...request, AttributeNames: ['All'] });
  await expect(sqs.send(all)).rejects.toThrow('AttributeNames All');
});

test('a message received too often becomes a dead letter with its id', async () => {
  const { MessageId } = await send('letter');
  await receive();
  await receive();
  expect(await lettersIn(aws, 'Letters')).toMatchObject([{ MessageId, Body: 'letter' }]);
});

test('a receipt handle of an earlier receive deletes a message', async () => {
  await sendLetter(aws, 'Old');
  const [first] = await lettersIn(aws, 'Old');
  await lettersIn(aws, 'Old');
  const { ReceiptHandle } = first ?? {};
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl('Old'), ReceiptHandle }));
  expect(await lettersIn(aws, 'Old')).toEqual([]);
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
