import type { Route } from '../../contract/routes.ts';
import type { MeasuredFunction, MetricName, SyncRefusal, TokenRefusal } from '../../storage/metrics.ts';

/** The settings that the alarms follow. */
export interface MonitoringSettings {
  readonly signingKeyRotationDays: number;
  readonly alarmEmail: string | undefined;
  readonly alarmTopicArn: string | undefined;
}

/** The functions that are watched, by their folder in `lambdas/`. */
export type MonitoredFunction = MeasuredFunction | 'signing-keys';

/** The rules of EventBridge that are watched, by what they hear of or start. */
export type MonitoredRule = 'object-created' | 'reconciliation';

type ApiMetric = 'Count' | '4xx' | '5xx' | 'Latency';

type FunctionMetric =
  | 'Invocations'
  | 'Errors'
  | 'Throttles'
  | 'AsyncEventAge'
  | 'AsyncEventsDropped'
  | 'DeadLetterErrors';

type RuleMetric = 'FailedInvocations' | 'InvocationsSentToDlq' | 'InvocationsFailedToBeSentToDlq';

type QueueMetric = 'ApproximateNumberOfMessagesVisible' | 'ApproximateAgeOfOldestMessage';

/** How the values of one period become one value (CloudWatch User Guide, "CloudWatch statistics definitions"). */
export type Statistic = 'Sum' | 'Maximum' | 'Average' | 'p50' | 'p99';

/** One metric of CloudWatch, by what it is of. `resolve-metric.ts` finds its namespace and dimensions. */
export type MetricSource = { readonly statistic: Statistic; readonly label?: string } & (
  | { readonly of: 'api'; readonly metric: ApiMetric }
  | { readonly of: 'function'; readonly name: MonitoredFunction; readonly metric: FunctionMetric }
  | { readonly of: 'rule'; readonly name: MonitoredRule; readonly metric: RuleMetric }
  | { readonly of: 'dead letters'; readonly metric: QueueMetric }
  /** A metric that a function writes into its log (storage/metrics.ts). */
  | {
      readonly of: 'service';
      readonly metric: MetricName;
      readonly function?: MeasuredFunction;
      readonly reason?: TokenRefusal | SyncRefusal;
    }
  /** Requests to a route that API Gateway answered 429, counted in its access log. */
  | { readonly of: 'throttled route'; readonly route: Route }
  /** Lines of `record-upload` about a second version of an upload. */
  | { readonly of: 'second versions' }
);

/** One value for each period: of one metric, or of an expression over several (CloudWatch, "Using metric math"). */
export type Measure =
  | { readonly metric: MetricSource }
  | { readonly metrics: Readonly<Record<string, MetricSource>>; readonly expression: string };

/** The alarms that notify somebody, each for one kind of trouble. */
export type PageName = 'ApiInTrouble' | 'UploadsInTrouble' | 'KeysInTrouble';

/** One alarm. Alarms, dashboard, table and index are made of this. */
export interface AlarmDefinition {
  /** Also its construct's id, so it stays. */
  readonly id: string;
  /** Page in docs/runbooks/, without its ending. */
  readonly runbook: string;
  /** What is compared with the threshold, as a person says it. */
  readonly counts: string;
  readonly unit: 'Count' | 'Percent' | 'Milliseconds' | 'Seconds';
  readonly measure: Measure;
  /** The alarm is raised above this value, or below it. */
  readonly threshold: number;
  readonly comparison: 'above' | 'below';
  /** Seconds. */
  readonly period: number;
  /** How many of the last periods must be beyond the threshold, of how many. */
  readonly datapoints: readonly [number, number];
  /** What a period without data counts as (CloudWatch, "Configuring how CloudWatch alarms treat missing data"). */
  readonly missing: 'notBreaching' | 'breaching' | 'ignore';
  /** What happened. One sentence without its full stop. */
  readonly means: string;
  /** What to do first. */
  readonly todo: string;
  /** The page that notifies of it; `own`: it notifies by itself. */
  readonly page: PageName | 'own';
}
