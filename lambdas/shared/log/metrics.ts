/**
 * The metrics of the service. The functions write them into their log lines (CloudWatch's embedded metric format), the
 * stack's alarms watch them, and its dashboard and the console show them. They are all here, so that a name is never spelled twice.
 */

/** Why a client got no access token. Each is a value of the dimension `Reason`, so their number is bounded. */
export const tokenRefusals = [
  'malformed_credentials',
  'unknown_client',
  'revoked_client',
  'wrong_secret',
  'invalid_request',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** Why a client got no upload URL. */
export const syncRefusals = [
  'no_token',
  'invalid_token',
  'expired_token',
  'insufficient_scope',
  'not_found',
  'sync_not_enabled',
] as const;

export type TokenRefusal = (typeof tokenRefusals)[number];
export type SyncRefusal = (typeof syncRefusals)[number];

/**
 * How a metric is divided. `whole`: not at all. `Reason`: as a whole, and for each reason.
 * Clients and organisations are fields of the lines and no dimensions: CloudWatch asks a price for each value of one.
 */
export type MetricDivision = 'whole' | 'Reason';

interface Metric {
  /** As CloudWatch names it. */
  readonly unit: 'Count' | 'Bytes' | 'Seconds';
  readonly by: MetricDivision;
}

/** Every metric, by its name in CloudWatch. */
export const metrics = {
  /** Access tokens issued. */
  TokensIssued: { unit: 'Count', by: 'whole' },
  /** Requests for a token that were refused. */
  TokensRefused: { unit: 'Count', by: 'Reason' },
  /** Upload URLs issued. */
  SyncsIssued: { unit: 'Count', by: 'whole' },
  /** Requests for an upload URL that were refused. */
  SyncsRefused: { unit: 'Count', by: 'Reason' },
  /** Uploads that became content of their file. */
  UploadsCompleted: { unit: 'Count', by: 'whole' },
  /** Upload URLs that were cancelled. */
  UploadsCancelled: { unit: 'Count', by: 'whole' },
  /** Uploads that the reconciliation had to record. */
  UploadsReconciled: { unit: 'Count', by: 'whole' },
  /** Upload URLs that expired unused. */
  UploadsExpired: { unit: 'Count', by: 'whole' },
  /** Uploads that the reconciliation could not record, and runs of it that failed. */
  ReconciliationsFailed: { unit: 'Count', by: 'whole' },
  /** Second versions of uploads, which are not content. */
  SecondVersions: { unit: 'Count', by: 'whole' },
  /** Size of the completed uploads. */
  UploadBytes: { unit: 'Bytes', by: 'whole' },
  /** Time since the signing keys changed, at each token. */
  SigningKeysAge: { unit: 'Seconds', by: 'whole' },
  /** Refreshes of a function's copy of the keys that failed. */
  RefreshesFailed: { unit: 'Count', by: 'whole' },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** Names of the metrics with one division. */
type NameOf<Division extends MetricDivision> = {
  [Name in MetricName]: (typeof metrics)[Name]['by'] extends Division ? Name : never;
}[MetricName];

/** Values of metrics that need no reason. */
type PlainValues = { readonly [Name in NameOf<'whole'>]?: number };

/** The values that one line has. A reason belongs to a refusal. */
export type MetricValues =
  | PlainValues
  | { readonly TokensRefused: 1; readonly Reason: TokenRefusal }
  | { readonly SyncsRefused: 1; readonly Reason: SyncRefusal };
