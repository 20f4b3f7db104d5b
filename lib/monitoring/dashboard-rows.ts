import { syncRefusals, tokenRefusals } from '../../storage/metrics.ts';
import type { MetricSource } from './definition.ts';

/** One picture of the dashboard. */
export interface Picture {
  readonly title: string;
  /** Alarms, by their id or their runbook. Their values are drawn, and their thresholds as lines. */
  readonly alarms?: readonly string[];
  /** What is drawn besides. */
  readonly values?: readonly MetricSource[];
}

/** A question, and the pictures that answer it. */
export interface DashboardRow {
  readonly question: string;
  /** Where to look further. */
  readonly hint: string;
  /** What is shown across the whole width before the pictures. */
  readonly first?: 'states of the alarms' | 'refused clients';
  readonly pictures: readonly Picture[];
}

const api = (metric: 'Count' | '4xx' | '5xx', label: string): MetricSource => ({
  of: 'api',
  metric,
  statistic: 'Sum',
  label,
});

const counted = (
  metric: Extract<MetricSource, { of: 'service' }>['metric'],
  label: string,
): MetricSource => ({
  of: 'service',
  metric,
  statistic: 'Sum',
  label,
});

/** The questions of an operator, in the order in which they are asked at night. */
export const dashboardRows: readonly DashboardRow[] = [
  {
    question: 'Is it up?',
    hint: 'Each alarm is explained in docs/runbooks/README.md.',
    first: 'states of the alarms',
    pictures: [
      {
        title: 'Requests and their answers',
        values: [api('Count', 'requests'), api('4xx', '4xx'), api('5xx', '5xx')],
      },
      { title: '5xx answers, percent of requests', alarms: ['ServerErrors'] },
      {
        title: 'Invocations that Lambda refused, and sessions that STS refused',
        alarms: ['Throttles', 'UploadSignerRefused'],
      },
    ],
  },
  {
    question: 'Is it slow?',
    hint: 'An answer takes 8.5 s at most: then it is a 500.',
    pictures: [
      {
        title: 'Time to the answer, in milliseconds: p50 and p99',
        alarms: ['SlowAnswers'],
        values: [{ of: 'api', metric: 'Latency', statistic: 'p50', label: 'p50' }],
      },
      {
        title: 'Age of the oldest event that record-upload was given, in milliseconds',
        alarms: ['RecordingLate'],
      },
    ],
  },
  {
    question: 'Who is failing?',
    hint: '`admin token` says why a client is refused.',
    first: 'refused clients',
    pictures: [
      {
        title: 'Tokens refused, by reason',
        values: tokenRefusals.map((reason) => ({
          of: 'service',
          metric: 'TokensRefused',
          reason,
          statistic: 'Sum',
          label: reason,
        })),
      },
      {
        title: 'Upload URLs refused, by reason',
        values: syncRefusals.map((reason) => ({
          of: 'service',
          metric: 'SyncsRefused',
          reason,
          statistic: 'Sum',
          label: reason,
        })),
      },
      { title: '429 answers, by route', alarms: ['RequestsThrottled'] },
    ],
  },
  {
    question: 'Are uploads arriving?',
    hint: 'URLs that nobody uses expire. `admin activity` has the same counts.',
    pictures: [
      {
        title: 'Upload URLs and uploads',
        values: [
          counted('SyncsIssued', 'URLs issued'),
          counted('UploadsCompleted', 'uploads completed'),
          counted('UploadsCancelled', 'URLs cancelled'),
          counted('UploadsExpired', 'URLs expired unused'),
          counted('UploadsDiscarded', 'arrived after their file was deleted'),
        ],
      },
      { title: 'Bytes of completed uploads', values: [counted('UploadBytes', 'bytes')] },
      {
        title: 'Uploads that were not recorded',
        alarms: [
          'UploadsNotRecorded',
          'EventsDropped',
          'EventsNotDelivered',
          'DeadLettersLost',
          'UploadsReconciled',
          'ReconciliationFailed',
          'SecondVersions',
        ],
      },
    ],
  },
  {
    question: 'How old are the keys?',
    hint: '`admin signing-key list` shows each key.',
    pictures: [
      { title: 'Age of the signing keys, in seconds', alarms: ['SigningKeyTooOld'] },
      {
        title: "Age of the functions' copies of the keys, in seconds",
        values: (['token', 'sync'] as const).map((name) => ({
          of: 'service',
          metric: 'KeyCopyAge',
          function: name,
          statistic: 'Maximum',
          label: name,
        })),
      },
      { title: 'Refreshes and rotations that failed', alarms: ['RefreshesFailed', 'RotationFailed'] },
    ],
  },
];

/** The query that names the clients which get no token, over the log of `token` (CloudWatch Logs Insights). */
export const refusedClientsQuery = [
  'filter message = "Access token refused"',
  'stats count(*) as refused by client_id, Reason',
  'sort refused desc',
  'limit 20',
] as const;
