import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { STSClient } from '@aws-sdk/client-sts';
import type { AwsConfig, Deployment } from './deployment.ts';

// Each SDK client is loaded when a command first needs it, so that --help and usage errors answer immediately.

/**
 * Time limits of one attempt of the SDK. Without them, a server that accepts a call and never answers would block a
 * command for ever. `requestTimeout` alone only logs a warning, and does not cover the body of the answer.
 */
function timeLimits(milliseconds: number) {
  return {
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: milliseconds,
      throwOnRequestTimeout: true,
      socketTimeout: milliseconds,
    },
  };
}

/** These calls usually take a hundredth of this. */
const defaultLimits = timeLimits(10_000);

/** A transfer that has stood still for two minutes rarely continues. */
const transferLimits = timeLimits(120_000);

/** Longer than the timeout of the functions. */
const invocationLimits = timeLimits(90_000);

/** What a client needs of a deployment. It is known before the deployment is. */
type Account = Pick<Deployment, 'awsConfig'>;

export async function stsClient({ awsConfig }: Account): Promise<STSClient> {
  const { STSClient } = await import('@aws-sdk/client-sts');
  return new STSClient({ ...defaultLimits, ...awsConfig });
}

export async function cloudFormationClient({ awsConfig }: Account): Promise<CloudFormationClient> {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
  return new CloudFormationClient({ ...defaultLimits, ...awsConfig });
}

export async function cloudWatchClient({ awsConfig }: Account): Promise<CloudWatchClient> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  return new CloudWatchClient({ ...defaultLimits, ...awsConfig });
}

/**
 * Makes one client for all calls of a command. Each client has its own connections and looks for credentials itself,
 * which is slow for a command that makes thousands of calls.
 */
function sharedClient<Client>(make: (account: Account) => Promise<Client>) {
  const clients = new WeakMap<AwsConfig, Promise<Client>>();
  return (account: Account): Promise<Client> => {
    const client = clients.get(account.awsConfig) ?? make(account);
    clients.set(account.awsConfig, client);
    return client;
  };
}

export const dynamoDBClient = sharedClient(async ({ awsConfig }): Promise<DynamoDBClient> => {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  return new DynamoDBClient({ ...defaultLimits, ...awsConfig });
});

/**
 * Computes checksums only where S3 requires them. The only object that the command line puts is empty, and a download
 * is verified by what was recorded of the upload: its size, ETag and checksum.
 */
export const s3Client = sharedClient(async ({ awsConfig }): Promise<S3Client> => {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    ...transferLimits,
    ...awsConfig,
    // A local endpoint has no host name for each bucket.
    forcePathStyle: awsConfig.endpoint !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return client;
});

export async function secretsManagerClient({ awsConfig }: Deployment): Promise<SecretsManagerClient> {
  const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  return new SecretsManagerClient({ ...defaultLimits, ...awsConfig });
}

export async function snsClient({ awsConfig }: Account): Promise<SNSClient> {
  const { SNSClient } = await import('@aws-sdk/client-sns');
  return new SNSClient({ ...defaultLimits, ...awsConfig });
}

export async function sqsClient({ awsConfig }: Deployment): Promise<SQSClient> {
  const { SQSClient } = await import('@aws-sdk/client-sqs');
  // By default the SDK calls the host of the queue URL, also when AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_SQS names another
  // endpoint. The endpoint that it resolves itself is right with and without these variables, and for a local run.
  return new SQSClient({ ...defaultLimits, ...awsConfig, useQueueUrlAsEndpoint: false });
}

export async function lambdaClient({ awsConfig }: Deployment): Promise<LambdaClient> {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  return new LambdaClient({ ...invocationLimits, ...awsConfig });
}
