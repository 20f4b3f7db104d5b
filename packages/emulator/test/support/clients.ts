import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { STS } from '@aws-sdk/client-sts';
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
    get cloudformation() {
      return new CloudFormation(options);
    },
    get cloudwatch() {
      return new CloudWatch(options);
    },
    get dynamodb() {
      return new DynamoDB(options);
    },
    get eventbridge() {
      return new EventBridge(options);
    },
    get logs() {
      return new CloudWatchLogs(options);
    },
    get lambda() {
      return new Lambda(options);
    },
    get s3() {
      return new S3({ ...options, requestChecksumCalculation: 'WHEN_REQUIRED' });
    },
    get secrets() {
      return new SecretsManager(options);
    },
    get sqs() {
      return new SQS({ ...options, useQueueUrlAsEndpoint: false });
    },
    get sts() {
      return new STS(options);
    },
  };
}

export function queueUrl(logicalId: string): string {
  return `https://sqs.us-east-1.amazonaws.com/000000000000/${stack.stackName}-${logicalId}`;
}

export async function sendLetter(aws: RunningServices, queue: string): Promise<void> {
  await clients(aws).sqs.sendMessage({ QueueUrl: queueUrl(queue), MessageBody: 'letter' });
}

/** Returns the messages of a queue. They stay in the queue and visible. */
export async function lettersIn(aws: RunningServices, queue: string) {
  const { Messages = [] } = await clients(aws).sqs.receiveMessage({
    QueueUrl: queueUrl(queue),
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 0,
  });
  return Messages;
}
