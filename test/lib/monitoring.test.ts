import { readFile } from 'node:fs/promises';
import { metrics, syncRejections, tokenRejections } from '../../contract/internal/metrics.ts';
import { alarms } from '../../lib/monitoring/alarms.ts';
import { savedQueries } from '../../lib/saved-queries.ts';
import { activityMetrics } from '../../tools/operator/requests/activity.ts';
import { propertiesOf, readable, synthesized } from '../support/synthesized.ts';

const { document } = synthesized();

describe('the dashboard', () => {
  interface Widget {
    readonly type: string;
    readonly properties: {
      readonly title: string;
      readonly alarms?: readonly string[];
      readonly metrics?: readonly (readonly (
        | string
        | { readonly label?: string; readonly stat?: string }
      )[])[];
    };
  }
  const [dashboard] = propertiesOf<{ readonly DashboardBody: unknown }>(
    document,
    'AWS::CloudWatch::Dashboard',
  );
  const { widgets } = JSON.parse(readable(dashboard?.DashboardBody)) as { widgets: readonly Widget[] };

  test('draws the metrics of each title and label', () => {
    const found = widgets
      .filter(({ type }) => type === 'metric')
      .map(({ properties: { title, metrics: rows = [] } }) => [
        title,
        ...rows.map((row) => {
          const { label, stat = 'Average' } = row.find((part) => typeof part !== 'string') ?? {};
          return [`${label}:`, ...row.filter((part) => typeof part === 'string'), stat].join(' ');
        }),
      ]);
    const rejected = (metric: string) => (reason: string) =>
      `${reason}: file-sync-prod ${metric} Reason ${reason} Sum`;
    expect(found).toEqual([
      [
        'Requests and responses',
        'requests: AWS/ApiGateway Count ApiId <Api> Sum',
        '4xx: AWS/ApiGateway 4xx ApiId <Api> Sum',
        '5xx: AWS/ApiGateway 5xx ApiId <Api> Sum',
        '429: file-sync-prod RequestsThrottled Sum',
      ],
      [
        'Time to the response, in milliseconds',
        'p50: AWS/ApiGateway Latency ApiId <Api> p50',
        'p99: AWS/ApiGateway Latency ApiId <Api> p99',
      ],
      ['Tokens rejected, by reason', ...tokenRejections.map(rejected('TokensRejected'))],
      ['Upload URLs rejected, by reason', ...syncRejections.map(rejected('SyncsRejected'))],
      [
        'Upload URLs and uploads',
        'URLs issued: file-sync-prod SyncsIssued Sum',
        'uploads completed: file-sync-prod UploadsCompleted Sum',
        'URLs cancelled: file-sync-prod UploadsCancelled Sum',
        'URLs expired unused: file-sync-prod UploadsExpired Sum',
      ],
      ['Bytes of completed uploads', 'bytes: file-sync-prod UploadBytes Sum'],
      [
        'Uploads that were not recorded by their events',
        'events in the dead-letter queue: AWS/SQS ApproximateNumberOfMessagesVisible QueueName <RecorderDeadLetters.QueueName> Maximum',
        'uploads reconciled: file-sync-prod UploadsReconciled Sum',
        'uploads reconciled before they were due: file-sync-prod UploadEventsMissing Sum',
      ],
      [
        'Lag of the reconciliation, in seconds',
        'age of the oldest upload: file-sync-prod DueUploadsAge Maximum',
      ],
      ['Age of the signing keys, in seconds', 'age: file-sync-prod SigningKeysAge Maximum'],
      [
        'Refreshes and rotations that failed',
        'refreshes: file-sync-prod RefreshesFailed Sum',
        'rotations: AWS/Lambda Errors FunctionName <RotationRotateFunction> Sum',
      ],
    ]);
  });

  test('shows the state of each alarm', () => {
    const states = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    expect(states).toEqual(Object.keys(alarms).map((name) => `<Alarms${name}.Arn>`));
  });
});

test('the saved queries are in the folder of the stack, with their logs', () => {
  const groups = {
    access: '<ApiAccessLog>',
    token: '<TokenLogs>',
    volumes: '<VolumesLogs>',
    sync: '<SyncLogs>',
    'well-known': '<WellKnownLogs>',
    'record-upload': '<RecorderRecordLogs>',
    'reconcile-uploads': '<ReconcilerReconcileLogs>',
  };
  const found = propertiesOf<{
    readonly Name: string;
    readonly QueryString: string;
    readonly LogGroupNames: readonly unknown[];
  }>(document, 'AWS::Logs::QueryDefinition').map(({ Name, QueryString, LogGroupNames }) => [
    Name,
    QueryString,
    LogGroupNames.map(readable),
  ]);
  expect(found).toEqual(
    Object.entries(savedQueries).map(([name, { query, logs }]) => [
      `file-sync-prod/${name}`,
      query.join('\n| '),
      logs.map((log) => groups[log]),
    ]),
  );
});

test.for(Object.entries(savedQueries))(
  'docs/operations.md has a row for %s',
  async ([name, { question }]) => {
    const page = await readFile('docs/operations.md', 'utf8');
    expect(page).toContain(`| \`${name}\` | ${question} |`);
  },
);

test('the saved queries sort the most important rows first', () => {
  const orders = Object.values(savedQueries).map(({ query }) =>
    query.find((line) => line.startsWith('sort ')),
  );
  // The most rejections, then a timeline from its beginning, then the latest error.
  expect(orders).toEqual(['sort rejected desc', 'sort @timestamp asc', 'sort @timestamp desc']);
});

test('an alarm, a picture or a page of the console reads each metric', () => {
  const read = JSON.stringify([document, activityMetrics]);
  const unread = Object.keys(metrics).filter((metric) => !new RegExp(`\\b${metric}\\b`).test(read));
  expect(unread).toEqual([]);
});

test('monitoring=none, the default of dev, creates nothing that costs', () => {
  const dev = synthesized({ stage: 'dev' }).document;
  const types = Object.values(dev.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /^AWS::(CloudWatch|SNS|Logs::MetricFilter)/.test(type))).toEqual([]);
  expect(dev.Outputs).not.toHaveProperty('DashboardName');
  const functions = propertiesOf<{ Environment?: { Variables: Record<string, unknown> } }>(
    dev,
    'AWS::Lambda::Function',
  );
  const namespaces = functions.map(({ Environment }) => Environment?.Variables.METRICS_NAMESPACE);
  expect(new Set(namespaces)).toEqual(new Set(['none', undefined]));
});
