/**
 * The metrics of the service. The functions write them into their log lines (CloudWatch's embedded metric format), the
 * stack's alarms watch them, and the command line reads them. They are all here, so that a name is never spelled twice.
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
  readonly unit: 'Count' | 'Bytes' | 'Milliseconds' | 'Seconds';
  readonly by: MetricDivision;
  readonly meaning: string;
}

/** Every metric, by its name in CloudWatch. */
export const metrics = {
  TokensIssued: { unit: 'Count', by: 'whole', meaning: 'Access tokens issued' },
  TokensRefused: { unit: 'Count', by: 'Reason', meaning: 'Requests for a token that were refused' },
  SyncsIssued: { unit: 'Count', by: 'whole', meaning: 'Upload URLs issued' },
  SyncsRefused: { unit: 'Count', by: 'Reason', meaning: 'Requests for an upload URL that were refused' },
  UploadsCompleted: { unit: 'Count', by: 'whole', meaning: 'Uploads that became content of their file' },
  UploadsDuplicate: { unit: 'Count', by: 'whole', meaning: 'Events of uploads that were completed already' },
  UploadsSuperseded: { unit: 'Count', by: 'whole', meaning: 'Uploads whose content was replaced or deleted' },
  UploadsCancelled: { unit: 'Count', by: 'whole', meaning: 'Upload URLs that were cancelled' },
  UploadsDiscarded: {
    unit: 'Count',
    by: 'whole',
    meaning: 'Uploads that arrived after their file was deleted',
  },
  UploadsReconciled: {
    unit: 'Count',
    by: 'whole',
    meaning: 'Uploads that the reconciliation had to record',
  },
  UploadsExpired: { unit: 'Count', by: 'whole', meaning: 'Upload URLs that expired unused' },
  ReconciliationsFailed: {
    unit: 'Count',
    by: 'whole',
    meaning: 'Uploads that the reconciliation could not record, and runs of it that failed',
  },
  SecondVersions: {
    unit: 'Count',
    by: 'whole',
    meaning: 'Second versions of uploads, which are not content',
  },
  UploadBytes: { unit: 'Bytes', by: 'whole', meaning: 'Size of the completed uploads' },
  UploadTime: {
    unit: 'Milliseconds',
    by: 'whole',
    meaning: 'Time from the issue of the URL to the stored object',
  },
  SigningKeysAge: {
    unit: 'Seconds',
    by: 'whole',
    meaning: 'Time since the signing keys changed, at each token',
  },
  RefreshesFailed: {
    unit: 'Count',
    by: 'whole',
    meaning: "Refreshes of a function's copy of the keys that failed",
  },
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

/** The reasons of a metric that is divided by reason. */
export const refusalsOf = { TokensRefused: tokenRefusals, SyncsRefused: syncRefusals } as const;

export type RefusalMetric = keyof typeof refusalsOf;
