/**
 * The environment variables of the functions, by the name that the code uses for each. The stack (lib/) sets them, and
 * the functions read them (lambdas/shared/environment.ts).
 */
export const environmentNames = {
  /** Base URL of the deployment, without a trailing slash: issuer, audience and `servers` of the API. */
  baseUrl: 'BASE_URL',
  clientsTableName: 'CLIENTS_TABLE_NAME',
  filesTableName: 'FILES_TABLE_NAME',
  uploadsTableName: 'UPLOADS_TABLE_NAME',
  /** Names of all tables, joined by commas. */
  tableNames: 'TABLE_NAMES',
  bucketName: 'BUCKET_NAME',
  /** Host name of the bucket in upload URLs. */
  bucketHost: 'BUCKET_HOST',
  /** Bus for the events of uploads and files. */
  eventBusName: 'EVENT_BUS_NAME',
  /** Secret with the private signing keys. Only `token` and `signing-keys` may read it. */
  signingKeySecretArn: 'SIGNING_KEY_SECRET_ARN',
  /** KMS key that encrypts this secret. */
  signingKeyKmsKeyArn: 'SIGNING_KEY_KMS_KEY_ARN',
  /** Secret with the public key set. */
  keySetSecretArn: 'KEY_SET_SECRET_ARN',
  /** Algorithm of the next new key: `ES256` or `RS256`. */
  signingAlgorithm: 'SIGNING_ALGORITHM',
  /** Days between two rotations of the signing keys. */
  signingKeyRotationDays: 'SIGNING_KEY_ROTATION_DAYS',
  tokenLifetimeSeconds: 'TOKEN_LIFETIME_SECONDS',
  /** Role that `sync` assumes once for every upload URL. */
  uploadSignerRoleArn: 'UPLOAD_SIGNER_ROLE_ARN',
  /** Namespace of the metrics in the function's log lines: the name of the stack, or {@link noMetrics}. */
  metricsNamespace: 'METRICS_NAMESPACE',
  /** Page for developers who call the API. Absent: the metadata names no page. */
  documentationUrl: 'DOCUMENTATION_URL',
  /** Start of the deprecation of v0, and the end of v0 (RFC 3339). Absent: not announced. */
  v0DeprecatedAt: 'V0_DEPRECATED_AT',
  v0SunsetAt: 'V0_SUNSET_AT',
  /** ARN of the stack itself. */
  stackId: 'STACK_ID',
  /** Days, or `forever`. */
  uploadRecordRetentionDays: 'UPLOAD_RECORD_RETENTION_DAYS',
} as const;

/** Namespace value for log lines without metrics. */
export const noMetrics = 'none';

/** Name of a variable in the code. */
export type EnvironmentKey = keyof typeof environmentNames;
