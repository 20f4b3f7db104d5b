import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { awsClock } from './aws-clock.ts';
import type { AwsConfig, Deployment } from './deployment.ts';
import { invokedFunctions, responseLimit } from './invoked-functions.ts';

/**
 * Time limits of one attempt of the SDK. Without them, a server that accepts a call and never answers would block a
 * command for ever. `requestTimeout` alone only logs a warning, and does not cover the body of the response.
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

/** A hundred times as long as these calls usually take. */
const defaultLimits = timeLimits(10_000);

/** A transfer that has stopped for two minutes rarely continues. */
const transferLimits = timeLimits(120_000);

/** As long as the slowest function may take. Each call of a function has its own limit. */
const invocationLimits = timeLimits(responseLimit(invokedFunctions.ReconcileUploadsFunctionName.minutes));

/** Passes a call on to the next middleware of the SDK. */
type Middleware = <Call, Result extends { readonly response: unknown }>(
  next: (call: Call) => Promise<Result>,
) => (call: Call) => Promise<Result>;

interface SdkClient {
  readonly middlewareStack: {
    add(middleware: Middleware, place: { readonly step: 'deserialize'; readonly priority: 'low' }): void;
  };
}

/** The `Date` header of an HTTP response, also of an error. */
function dateOf({ response }: { readonly response: unknown }): string | undefined {
  return (response as { readonly headers?: Readonly<Record<string, string>> }).headers?.date;
}

/**
 * Makes one client for all calls of a command: each client has its own connections and looks for credentials itself. The
 * code of a client is loaded when a command first needs the client, so that --help and usage errors answer immediately.
 *
 * @param settings additional settings of this client
 */
function clientOf<Client extends SdkClient>(
  load: () => Promise<new (config: AwsConfig & typeof defaultLimits) => Client>,
  settings: (config: AwsConfig) => object = () => ({}),
) {
  const clients = new WeakMap<AwsConfig, Promise<Client>>();
  const make = async (config: AwsConfig) => {
    const ClientOfService = await load();
    const client = new ClientOfService({ ...defaultLimits, ...settings(config), ...config });
    const { learnFrom } = awsClock({ awsConfig: config });
    client.middlewareStack.add((next) => (call) => learnFrom(() => next(call), dateOf), {
      step: 'deserialize',
      priority: 'low',
    });
    return client;
  };
  return ({ awsConfig }: Pick<Deployment, 'awsConfig'>): Promise<Client> => {
    const client = clients.get(awsConfig) ?? make(awsConfig);
    clients.set(awsConfig, client);
    return client;
  };
}

export const stsClient = clientOf(async () => (await import('@aws-sdk/client-sts')).STS);

export const cloudFormationClient = clientOf(
  async () => (await import('@aws-sdk/client-cloudformation')).CloudFormation,
);

export const cloudWatchClient = clientOf(async () => (await import('@aws-sdk/client-cloudwatch')).CloudWatch);

export const cloudWatchLogsClient = clientOf(
  async () => (await import('@aws-sdk/client-cloudwatch-logs')).CloudWatchLogs,
);

export const dynamoDBClient = clientOf(async () => (await import('@aws-sdk/client-dynamodb')).DynamoDB);

/**
 * Computes checksums only where S3 requires them. The only object that the command line puts is empty, and a download
 * is verified by the recorded size, ETag and checksum of the upload.
 */
export const s3Client = clientOf(
  async () => (await import('@aws-sdk/client-s3')).S3,
  ({ endpoint }) =>
    ({
      ...transferLimits,
      // A local endpoint has no host name for each bucket.
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
  // By default the SDK calls the host of the queue URL, also when AWS_ENDPOINT_URL or AWS_ENDPOINT_URL_SQS names another
  // endpoint. The endpoint that the SDK resolves is right with and without these variables, and for a local run.
  () => ({ useQueueUrlAsEndpoint: false }) satisfies SQSClientConfig,
);

export const lambdaClient = clientOf(
  async () => (await import('@aws-sdk/client-lambda')).Lambda,
  () => invocationLimits,
);
