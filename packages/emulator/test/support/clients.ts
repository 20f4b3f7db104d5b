import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { STSClient } from '@aws-sdk/client-sts';
import type { Credentials } from '../../authentication/credentials.ts';
import type { RunningServices } from '../../running-services.ts';
import { roleArnOf, stack } from './aws-services.ts';

/** @param caller logical ID of the role whose session calls, or its credentials. Default: the operator */
export function clients(aws: RunningServices, caller: string | Credentials = aws.operatorCredentials) {
  const credentials =
    typeof caller === 'string' ? aws.credentialsForRole(roleArnOf(caller), caller.toLowerCase()) : caller;
  return clientsWith(aws.endpoint, credentials);
}

/** SDK clients, each created on first use. They need no end: the server ends their connections. */
export function clientsWith(endpoint: string, credentials: Credentials) {
  const options = { endpoint, credentials, region: stack.region, maxAttempts: 1 };
  return {
    get cloudwatch() {
      return new CloudWatchClient(options);
    },
    get dynamodb() {
      return new DynamoDBClient(options);
    },
    get eventbridge() {
      return new EventBridgeClient(options);
    },
    get logs() {
      return new CloudWatchLogsClient(options);
    },
    get lambda() {
      return new LambdaClient(options);
    },
    get s3() {
      return new S3Client(options);
    },
    get secrets() {
      return new SecretsManagerClient(options);
    },
    get sqs() {
      return new SQSClient({ ...options, useQueueUrlAsEndpoint: false });
    },
    get sts() {
      return new STSClient(options);
    },
  };
}

export function queueUrl(logicalId: string): string {
  return `https://sqs.us-east-1.amazonaws.com/000000000000/${stack.stackName}-${logicalId}`;
}

export async function sendLetter(aws: RunningServices, queue: string): Promise<void> {
  await clients(aws).sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody: 'letter' }));
}

/** Returns the messages of a queue. They stay in the queue and visible. */
export async function lettersIn(aws: RunningServices, queue: string) {
  const { Messages = [] } = await clients(aws).sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl(queue),
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
}
