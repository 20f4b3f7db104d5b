import type { AwsConfig, Deployment } from './deployment.ts';

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

/**
 * Makes one client for all calls of a command: each has its own connections and looks for credentials itself. Its code is
 * loaded when a command first needs it, so that --help and usage errors answer immediately.
 */
function clientOf<Client>(make: (config: AwsConfig & typeof defaultLimits) => Promise<Client>) {
  const clients = new WeakMap<AwsConfig, Promise<Client>>();
  return ({ awsConfig }: Pick<Deployment, 'awsConfig'>): Promise<Client> => {
    const client = clients.get(awsConfig) ?? make({ ...defaultLimits, ...awsConfig });
    clients.set(awsConfig, client);
    return client;
  };
}

export const stsClient = clientOf(async (config) => {
  const { STS } = await import('@aws-sdk/client-sts');
  return new STS(config);
});

export const cloudFormationClient = clientOf(async (config) => {
  const { CloudFormation } = await import('@aws-sdk/client-cloudformation');
  return new CloudFormation(config);
});

export const cloudWatchClient = clientOf(async (config) => {
  const { CloudWatch } = await import('@aws-sdk/client-cloudwatch');
  return new CloudWatch(config);
});

export const cloudWatchLogsClient = clientOf(async (config) => {
  const { CloudWatchLogs } = await import('@aws-sdk/client-cloudwatch-logs');
  return new CloudWatchLogs(config);
});

export const dynamoDBClient = clientOf(async (config) => {
  const { DynamoDB } = await import('@aws-sdk/client-dynamodb');
  return new DynamoDB(config);
});

/**
 * Computes checksums only where S3 requires them. The only object that the command line puts is empty, and a download
 * is verified by what was recorded of the upload: its size, ETag and checksum.
 */
export const s3Client = clientOf(async (config) => {
  const { S3 } = await import('@aws-sdk/client-s3');
  return new S3({
    ...config,
    ...transferLimits,
    // A local endpoint has no host name for each bucket.
    forcePathStyle: config.endpoint !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
});

export const secretsManagerClient = clientOf(async (config) => {
  const { SecretsManager } = await import('@aws-sdk/client-secrets-manager');
  return new SecretsManager(config);
});

export const snsClient = clientOf(async (config) => {
  const { SNS } = await import('@aws-sdk/client-sns');
  return new SNS(config);
});

export const sqsClient = clientOf(async (config) => {
  const { SQS } = await import('@aws-sdk/client-sqs');
  // By default the SDK calls the host of the queue URL, also when AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_SQS names another
  // endpoint. The endpoint that it resolves itself is right with and without these variables, and for a local run.
  return new SQS({ ...config, useQueueUrlAsEndpoint: false });
});

export const lambdaClient = clientOf(async (config) => {
  const { Lambda } = await import('@aws-sdk/client-lambda');
  return new Lambda({ ...config, ...invocationLimits });
});
