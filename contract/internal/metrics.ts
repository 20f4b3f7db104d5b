/**
 * The metrics of the service. The functions write them into their log lines (CloudWatch's embedded metric
 * format), the stack's alarms watch them, and its dashboard and the console show them. They are all defined
 * here, so that each name is spelled once.
 */

/**
 * Reasons for rejecting a token request. Each is a value of the dimension `Reason`, so their number is
 * bounded.
 */
export const tokenRejections = [
  'malformed_credentials',
  'unknown_client',
  'revoked_client',
  'suspended_client',
  'wrong_secret',
  'address_not_allowed',
  'ended_secret',
  'invalid_request',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** Reasons for rejecting a sync request. */
export const syncRejections = [
  'no_token',
  'invalid_token',
  'expired_token',
  'address_not_allowed',
  'insufficient_scope',
  'not_found',
  'sync_not_enabled',
  'suspended_file',
] as const;

/** Problems of a token behind the rejection `invalid_token`. For the log only: clients get one response. */
export const tokenProblems = [
  'malformed',
  'forbidden_header',
  'unpublished_key',
  'wrong_signature',
  'wrong_claim',
  'missing_claim',
  'unverifiable',
] as const;

export type TokenProblem = (typeof tokenProblems)[number];
export type TokenRejection = (typeof tokenRejections)[number];
export type SyncRejection = (typeof syncRejections)[number];

/** The name of the unit in CloudWatch. */
type Unit = 'Count' | 'Bytes' | 'Seconds';

/** Every metric, by its name in CloudWatch, with its unit. */
export const metrics = {
  /** Access tokens issued. */
  TokensIssued: 'Count',
  /** Rejected requests for a token. */
  TokensRejected: 'Count',
  /** Access tokens issued for a secret that ends within 30 days. */
  SecretsEnding: 'Count',
  /** Upload URLs issued. */
  SyncsIssued: 'Count',
  /** Rejected requests for an upload URL. */
  SyncsRejected: 'Count',
  /** Uploads that became content of their file. */
  UploadsCompleted: 'Count',
  /** Cancelled upload URLs. */
  UploadsCancelled: 'Count',
  /** Uploads that the reconciliation had to record. */
  UploadsReconciled: 'Count',
  /** Stored uploads without an event, which the reconciliation recorded before they were due. */
  UploadEventsMissing: 'Count',
  /** Upload URLs that expired unused. */
  UploadsExpired: 'Count',
  /** Uploads that the reconciliation could not record, and failed runs of the reconciliation. */
  ReconciliationsFailed: 'Count',
  /** Age of the oldest due upload that a run did not reach. */
  DueUploadsAge: 'Seconds',
  /** Overdue files, counted by a run. */
  FilesOverdue: 'Count',
  /** Second versions of objects, which are not recorded: an upload URL was used twice. */
  SecondVersions: 'Count',
  /** Size of the completed uploads. */
  UploadBytes: 'Bytes',
  /** Age of the signing keys, at each token. */
  SigningKeysAge: 'Seconds',
  /** Failed refreshes of a function's copy of the keys. */
  RefreshesFailed: 'Count',
} as const satisfies Readonly<Record<string, Unit>>;

export type MetricName = keyof typeof metrics;

/**
 * Metric values in one log line. A rejection includes a reason: it is counted in the total, and under its
 * reason. Clients and organisations are fields of the line, not dimensions: CloudWatch charges for each value
 * of a dimension.
 */
export type MetricValues =
  | { readonly [Name in Exclude<MetricName, 'TokensRejected' | 'SyncsRejected'>]?: number }
  | { readonly TokensRejected: 1; readonly Reason: TokenRejection }
  | { readonly SyncsRejected: 1; readonly Reason: SyncRejection };
