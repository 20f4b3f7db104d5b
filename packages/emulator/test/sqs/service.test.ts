import { prepareRuns, resource } from '../support/aws-services.ts';
import { clients, queueUrl } from '../support/clients.ts';

/** The recordings of SQS contain more calls. */

const aws = await (await prepareRuns([resource('Queue', 'AWS::SQS::Queue', {})])).start();
const { sqs } = clients(aws);
const QueueUrl = queueUrl('Queue');

test('a queue rejects unsupported attributes by name', async () => {
  await expect(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] })).rejects.toThrow(
    'AttributeNames All',
  );
});

test('a waiting receiver gets a new message', async () => {
  const received = sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
  const { MessageId } = await sqs.sendMessage({ QueueUrl, MessageBody: 'letter' });
  expect((await received).Messages).toMatchObject([{ MessageId }]);
});
