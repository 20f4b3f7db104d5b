import { apiGateway } from './api-gateway/service.ts';
import { cloudFormation } from './cloudformation/service.ts';
import { cloudWatch } from './cloudwatch/service.ts';
import { type DynamoDbSettings, dynamoDb } from './dynamodb/service.ts';
import { events } from './events/service.ts';
import { iam } from './iam/service.ts';
import { kms } from './kms/service.ts';
import { lambda } from './lambda/service.ts';
import { logs } from './logs/service.ts';
import type { AwsService } from './registry/aws-service.ts';
import { type S3Settings, s3 } from './s3/service.ts';
import { secretsManager } from './secrets-manager/service.ts';
import { sns } from './sns/service.ts';
import { sqs } from './sqs/service.ts';
import { sts } from './sts/service.ts';

/** Settings of all services. */
export interface AwsSettings extends DynamoDbSettings, S3Settings {}

/** All services of the emulator. */
export const services: readonly AwsService<AwsSettings>[] = [
  apiGateway,
  cloudFormation,
  cloudWatch,
  dynamoDb,
  events,
  iam,
  kms,
  lambda,
  logs,
  s3,
  secretsManager,
  sns,
  sqs,
  sts,
];
