import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from './deployment.ts';

// Each SDK client is loaded when a command first needs it: --help and usage errors answer at once.

/**
 * Limits of each of the SDK's few attempts, in milliseconds: without them a server that accepts a call and never
 * answers holds a command for ever. `requestTimeout` alone only logs a warning, and ends with the headers of the answer.
 */
function within(milliseconds: number) {
  return {
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: milliseconds,
      throwOnRequestTimeout: true,
      socketTimeout: milliseconds,
    },
  };
}

/** A hundred times what these calls take. */
const usual = within(10_000);

/** Longer than a download waits for bytes, which has a limit and words of its own. */
const transfer = within(120_000);

/** Longer than a function may run. */
const invocation = within(90_000);

export async function dynamoDBClient({ awsConfig }: Deployment): Promise<DynamoDBClient> {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  return new DynamoDBClient({ ...usual, ...awsConfig });
}

/**
 * Checksums only where S3 requires them: what is put here is empty, and a download is compared with its size and
 * ETag.
 */
export async function s3Client({ awsConfig }: Deployment): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    ...transfer,
    ...awsConfig,
    // A local endpoint has no name for each bucket.
    forcePathStyle: awsConfig.endpoint !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

export async function secretsManagerClient({ awsConfig }: Deployment): Promise<SecretsManagerClient> {
  const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  return new SecretsManagerClient({ ...usual, ...awsConfig });
}

export async function sqsClient({ awsConfig }: Deployment): Promise<SQSClient> {
  const { SQSClient } = await import('@aws-sdk/client-sqs');
  // The queue's URL names AWS's endpoint; a local run answers at its own.
  return new SQSClient({ ...usual, ...awsConfig, useQueueUrlAsEndpoint: awsConfig.endpoint === undefined });
}

export async function lambdaClient({ awsConfig }: Deployment): Promise<LambdaClient> {
  const { LambdaClient } = await import('@aws-sdk/client-lambda');
  return new LambdaClient({ ...invocation, ...awsConfig });
}
