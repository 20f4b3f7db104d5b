import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import type { AwsConfig, Deployment } from './deployment.ts';
import { invokedFunctions, responseLimit } from './invoked-functions.ts';

/**
 * Returns time limits for one attempt of the SDK. Without them, a server that accepts a call and never
 * responds would block a command forever. Without `throwOnRequestTimeout`, `requestTimeout` only logs a
 * warning. It does not cover the body of the response.
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

/** About 100 times the typical duration of these calls. */
const defaultLimits = timeLimits(10_000);

/** A transfer rarely continues after two minutes without data. */
const transferLimits = timeLimits(120_000);

/** Limit of the slowest function. Each invocation sets its own limit. */
const invocationLimits = timeLimits(responseLimit(invokedFunctions.ReconcileUploadsFunctionName.minutes));

/**
 * Creates one client for all calls of a command, because each client opens its own connections and finds
 * credentials itself. The code of a client is loaded on first use, so --help and usage errors respond
 * immediately.
 *
 * @param settings additional settings of this client
 */
function clientOf<Client>(
  load: () => Promise<new (config: AwsConfig & typeof defaultLimits) => Client>,
  settings: (config: AwsConfig) => object = () => ({}),
) {
  const clients = new WeakMap<AwsConfig, Promise<Client>>();
  const create = async (config: AwsConfig) => {
    const ClientOfService = await load();
    return new ClientOfService({ ...defaultLimits, ...settings(config), ...config });
  };
  return ({ awsConfig }: Pick<Deployment, 'awsConfig'>): Promise<Client> => {
    const client = clients.get(awsConfig) ?? create(awsConfig);
    clients.set(awsConfig, client);
    return client;
  };
}

export const stsClient = clientOf(async () => (await import('@aws-sdk/client-sts')).STS);

export const cloudFormationClient = clientOf(
  async () => (await import('@aws-sdk/client-cloudformation')).CloudFormation,
);

export const cloudTrailClient = clientOf(async () => (await import('@aws-sdk/client-cloudtrail')).CloudTrail);

export const cloudWatchClient = clientOf(async () => (await import('@aws-sdk/client-cloudwatch')).CloudWatch);

export const cloudWatchLogsClient = clientOf(
  async () => (await import('@aws-sdk/client-cloudwatch-logs')).CloudWatchLogs,
);

export const dynamoDBClient = clientOf(async () => (await import('@aws-sdk/client-dynamodb')).DynamoDB);

/**
 * Computes checksums only where S3 requires them. The command line puts only empty objects. A download is
 * verified by the recorded size, ETag and checksum of the upload.
 */
export const s3Client = clientOf(
  async () => (await import('@aws-sdk/client-s3')).S3,
  ({ endpoint }) =>
    ({
      ...transferLimits,
      // A local endpoint does not support a host name for each bucket.
      forcePathStyle: endpoint !== undefined,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }) satisfies S3ClientConfig,
);

export const secretsManagerClient = clientOf(
  async () => (await import('@aws-sdk/client-secrets-manager')).SecretsManager,
);

export const snsClient = clientOf(async () => (await import('@aws-sdk/client-sns')).SNS);

export const sqsClient = clientOf(
  async () => (await import('@aws-sdk/client-sqs')).SQS,
  // By default, the SDK calls the host of the queue URL, even if AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_SQS
  // names another endpoint. With this setting, it calls the endpoint that it resolves, with and without these
  // variables and for a local run.
  () => ({ useQueueUrlAsEndpoint: false }) satisfies SQSClientConfig,
);

export const lambdaClient = clientOf(
  async () => (await import('@aws-sdk/client-lambda')).Lambda,
  () => invocationLimits,
);
