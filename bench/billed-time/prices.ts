/** A price, and where it is from. */
export interface Price {
  /** What is paid for. */
  readonly what: string;
  /** US dollars for one unit. */
  readonly dollars: number;
  /** The unit, for a person: `million requests`. */
  readonly unit: string;
  /** Where AWS or the vendor publishes it. */
  readonly published: string;
  /** The page that it was read from, if that is another one. */
  readonly readFrom?: string;
  /** When the page that it was read from said so. */
  readonly date: string;
}

/** US East (N. Virginia), without free tiers, savings plans and private prices. */
export const prices = {
  lambdaGigabyteSecond: {
    what: 'Lambda on arm64, first 7.5 billion GB-seconds of a month',
    dollars: 0.0000133334,
    unit: 'GB-second',
    published: 'https://aws.amazon.com/lambda/pricing/',
    readFrom: 'https://cloudchipr.com/blog/aws-lambda-pricing',
    date: '2024',
  },
  lambdaRequest: {
    what: 'Lambda requests',
    dollars: 0.2,
    unit: 'million requests',
    published: 'https://aws.amazon.com/lambda/pricing/',
    readFrom:
      'https://git.mcrn.ar/mariano/lambda_local_runner/src/branch/main/docs/lambdas-md/lambda-13-cost.md',
    date: '2026-05-11',
  },
  httpApiFirst: {
    what: 'HTTP API requests, first 300 million of a month',
    dollars: 1,
    unit: 'million requests',
    published: 'https://aws.amazon.com/api-gateway/pricing/',
    readFrom: 'https://amnic.com/blogs/aws-api-gateway-pricing',
    date: '2026',
  },
  httpApiMore: {
    what: 'HTTP API requests, beyond 300 million of a month',
    dollars: 0.9,
    unit: 'million requests',
    published: 'https://aws.amazon.com/api-gateway/pricing/',
    readFrom: 'https://amnic.com/blogs/aws-api-gateway-pricing',
    date: '2026',
  },
  dynamoRead: {
    what: 'DynamoDB on demand: one consistent read of up to 4 KB is one unit, any other half of one',
    dollars: 0.125,
    unit: 'million read units',
    published: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    readFrom: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
    date: '2025-07-21',
  },
  dynamoWrite: {
    what: 'DynamoDB on demand: one write of up to 1 KB is one unit, to a table or to one of its indexes',
    dollars: 0.625,
    unit: 'million write units',
    published: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    readFrom: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
    date: '2025-07-21',
  },
  s3Put: {
    what: 'S3 Standard: PUT, COPY, POST, LIST',
    dollars: 5,
    unit: 'million requests',
    published: 'https://aws.amazon.com/s3/pricing/',
    readFrom:
      'https://www.cloudkaramchari.com/blog/understanding-per-1000-put-copy-post-or-list-requests-in-amazon-s3-pricing/',
    date: '2024',
  },
  s3Get: {
    what: 'S3 Standard: GET and all other requests',
    dollars: 0.4,
    unit: 'million requests',
    published: 'https://aws.amazon.com/s3/pricing/',
    readFrom: 'https://c3x.dev/blog/s3-request-fees-explained',
    date: 'undated, seen 2026-11-22',
  },
  event: {
    what: 'EventBridge: opt-in data events of AWS services, which those of S3 are. Only management events are free, though some guides call those of S3 free too',
    dollars: 1,
    unit: 'million events',
    published: 'https://aws.amazon.com/eventbridge/pricing/',
    readFrom: 'https://cloudburn.io/blog/amazon-eventbridge-pricing',
    date: '2026-03-13',
  },
  logGigabyte: {
    what: 'CloudWatch Logs, ingestion. Logs of Lambda cost less beyond 10 TB a month; this is not counted',
    dollars: 0.5,
    unit: 'GB',
    published: 'https://aws.amazon.com/cloudwatch/pricing/',
    readFrom: 'https://hykell.com/kb/platform-specific-guides/aws-cloudwatch-logs-pricing',
    date: '2026',
  },
  outGigabyte: {
    what: 'Data transfer out to the internet, beyond 100 GB of a month',
    dollars: 0.09,
    unit: 'GB',
    published: 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
    readFrom: 'https://amnic.com/blogs/aws-api-gateway-pricing',
    date: '2026',
  },
  secretCall: {
    what: 'Secrets Manager, calls',
    dollars: 5,
    unit: 'million calls',
    published: 'https://aws.amazon.com/secrets-manager/pricing/',
    readFrom: 'https://hivebook.wiki/wiki/aws-secrets-manager-rotated-secrets-dynamic-db-credentials-kms',
    date: '2026',
  },
  secret: {
    what: 'Secrets Manager, secrets; the service has two',
    dollars: 0.4,
    unit: 'secret and month',
    published: 'https://aws.amazon.com/secrets-manager/pricing/',
    readFrom: 'https://hivebook.wiki/wiki/aws-secrets-manager-rotated-secrets-dynamic-db-credentials-kms',
    date: '2026',
  },
  keyCall: {
    what: 'KMS, calls with a symmetric key',
    dollars: 3,
    unit: 'million calls',
    published: 'https://aws.amazon.com/kms/pricing/',
    readFrom: 'https://cloudburn.io/blog/aws-kms-pricing',
    date: '2026-03-14',
  },
  key: {
    what: 'KMS, customer-managed keys; the service has one',
    dollars: 1,
    unit: 'key and month',
    published: 'https://aws.amazon.com/kms/pricing/',
    readFrom: 'https://cloudburn.io/blog/aws-kms-pricing',
    date: '2026-03-14',
  },
  assumeRole: {
    what: 'STS',
    dollars: 0,
    unit: 'million calls',
    published: 'https://aws.amazon.com/iam/faqs/',
    readFrom: 'https://notes.ashwin.co.in/notes/AWS/IAM',
    date: '2026',
  },
  cognitoToken: {
    what: 'Cognito: tokens for machines, first tier',
    dollars: 2250,
    unit: 'million tokens',
    published: 'https://aws.amazon.com/cognito/pricing/',
    readFrom: 'https://cur.vantage-api.com/aws/amazoncognito/user-pools-m2m/cupm2mtokenrequestsfull',
    date: '2025-04-27',
  },
  cognitoClient: {
    what: 'Cognito: app clients for machines',
    dollars: 6,
    unit: 'client and month',
    published: 'https://aws.amazon.com/cognito/pricing/',
    readFrom:
      'https://www.rhythmictech.com/blog/the-aws-cognito-m2m-bill-has-come-due-what-you-need-to-know/',
    date: '2025-05',
  },
  fargateCpu: {
    what: 'Fargate on arm64, for Keycloak',
    dollars: 0.03238,
    unit: 'vCPU and hour',
    published: 'https://aws.amazon.com/fargate/pricing/',
    readFrom: 'https://www.vantage.sh/blog/fargate-pricing',
    date: '2026',
  },
  fargateGigabyte: {
    what: 'Fargate on arm64, for Keycloak',
    dollars: 0.00356,
    unit: 'GB and hour',
    published: 'https://aws.amazon.com/fargate/pricing/',
    readFrom: 'https://www.vantage.sh/blog/fargate-pricing',
    date: '2026',
  },
  database: {
    what: 'RDS for PostgreSQL, db.t4g.medium in two zones, for Keycloak',
    dollars: 0.13,
    unit: 'hour',
    published: 'https://aws.amazon.com/rds/postgresql/pricing/',
    readFrom: 'https://infratally.com/articles/aws-rds-pricing-explained-2026.html',
    date: '2026',
  },
} as const satisfies Readonly<Record<string, Price>>;

/**
 * Keycloak's own guide: one vCPU for 120 client credentials grants per second, 150 % more in reserve, and 1.25 GB for each
 * server (https://www.keycloak.org/nightly/high-availability/single-cluster/concepts-memory-and-cpu-sizing, 2026).
 */
export const keycloak = { grantsPerCpu: 120, reserve: 2.5, gigabytes: 1.25, servers: 2 } as const;

/** Requests that start an environment: under one in a hundred ("AWS Lambda standardizes billing for INIT Phase", 2025-04-29). */
export const coldShare = 0.01;

/** Bytes of one line of the access log, with values of the usual length. CloudWatch adds 26 to each event that it bills. */
export const accessLogBytes = 420;
export const logEventOverhead = 26;

/** An environment reads its keys again after so many seconds of work (lambdas/shared/cache.ts). */
export const keyRefreshSeconds = 240;
