/**
 * The environment variables of the functions, by the name that the code uses for each. The stack (lib/) sets them, and
 * the functions read them with {@link readEnvironment}.
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
  /** Host name of the bucket, as upload URLs have it. */
  bucketHost: 'BUCKET_HOST',
  /** Bus that the events of uploads are sent to. */
  eventBusName: 'EVENT_BUS_NAME',
  /** Secret with the private signing keys. Only `token` and `signing-keys` may read it. */
  signingKeySecretArn: 'SIGNING_KEY_SECRET_ARN',
  /** KMS key that encrypts this secret. */
  signingKeyKmsKeyArn: 'SIGNING_KEY_KMS_KEY_ARN',
  /** Secret with the public key set. */
  keySetSecretArn: 'KEY_SET_SECRET_ARN',
  /** `ES256` or `RS256`: the algorithm of the next key that is made. */
  signingAlgorithm: 'SIGNING_ALGORITHM',
  /** How often the signing keys rotate, in days. */
  signingKeyRotationDays: 'SIGNING_KEY_ROTATION_DAYS',
  tokenLifetimeSeconds: 'TOKEN_LIFETIME_SECONDS',
  /** Role that `sync` assumes once for every upload URL. */
  uploadSignerRoleArn: 'UPLOAD_SIGNER_ROLE_ARN',
  /** Namespace of the metrics in the function's log lines: the name of the stack, or {@link noMetrics}. */
  metricsNamespace: 'METRICS_NAMESPACE',
  /** Page for people who call the API. Absent: the metadata names no page. */
  documentationUrl: 'DOCUMENTATION_URL',
  /** When v0 is deprecated, and when it ends (RFC 3339). Absent: nothing is announced. */
  v0DeprecatedAt: 'V0_DEPRECATED_AT',
  v0SunsetAt: 'V0_SUNSET_AT',
  /** ARN of the stack itself. */
  stackId: 'STACK_ID',
  /** Days, or `forever`: see {@link parseRetentionDays}. */
  uploadRecordRetentionDays: 'UPLOAD_RECORD_RETENTION_DAYS',
} as const;

/** In place of a namespace: the function's log lines have no metrics. */
export const noMetrics = 'none';

/** Name of a variable in the code. */
export type EnvironmentKey = keyof typeof environmentNames;

/**
 * Reads the named variables. A missing or empty one is an error when the function starts, so that a wrong deployment
 * does not wait for the first request that needs the value.
 *
 * @throws {Error} naming every variable that is missing
 */
export function readEnvironment<const Key extends EnvironmentKey>(
  keys: readonly Key[],
  source: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<Key, string>> {
  const missing = keys.filter((key) => !source[environmentNames[key]]);
  if (missing.length > 0) {
    const names = missing.map((key) => environmentNames[key]).join(', ');
    throw new Error(`Missing environment variable: ${names}`);
  }
  return Object.fromEntries(keys.map((key) => [key, source[environmentNames[key]]])) as Record<Key, string>;
}

/** Reads a variable that a deployment may do without. Undefined: it is missing or empty. */
export function readOptional(
  key: EnvironmentKey,
  source: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return source[environmentNames[key]] || undefined;
}

/** How long upload records are kept, in days. Undefined: for ever. */
export function parseRetentionDays(value: string): number | undefined {
  return value === 'forever' ? undefined : Number(value);
}
