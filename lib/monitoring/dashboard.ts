import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type MetricName, syncRejections, tokenRejections } from '../../contract/internal/metrics.ts';
import type { MonitoredResources } from './alarms.ts';
import { apiMetric, ownMetric, period, throttledMetric } from './metrics.ts';

export interface DashboardProps extends MonitoredResources {
  /** Namespace of the service's own metrics. */
  readonly namespace: string;
  /** Alarms, in their display order. */
  readonly alarms: readonly IAlarm[];
  /** Address of the runbooks, or their path in this project. */
  readonly runbooksUrl: string;
}

/** Width of a dashboard, in columns. */
const fullWidth = 24;

/** Creates the dashboard. Its sections follow an operator's questions during an incident, in order. */
export function createDashboard(scope: Construct, props: DashboardProps): Dashboard {
  const { namespace, alarms, rotation, runbooksUrl } = props;
  const { apiId } = props.api;
  const { deadLetterQueue } = props.recorder;
  const count = (metric: MetricName | typeof throttledMetric, label: string) =>
    ownMetric(namespace, metric, { label });
  return new Dashboard(scope, 'Dashboard', {
    widgets: [
      heading('Is the API up, and is it slow?', `${runbooksUrl} explains each alarm.`),
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: fullWidth })],
      row({
        'Requests and responses': [
          apiMetric(apiId, 'Count', { label: 'requests' }),
          apiMetric(apiId, '4xx', { label: '4xx' }),
          apiMetric(apiId, '5xx', { label: '5xx' }),
          count(throttledMetric, '429'),
        ],
        'Time to the response, in milliseconds': [
          apiMetric(apiId, 'Latency', { statistic: 'p50', label: 'p50' }),
          apiMetric(apiId, 'Latency', { statistic: 'p99', label: 'p99' }),
        ],
      }),
      heading('Which clients are rejected?', 'The saved query `who-is-rejected` names the clients.'),
      row({
        'Tokens rejected, by reason': tokenRejections.map((reason) =>
          ownMetric(namespace, 'TokensRejected', { dimensionsMap: { Reason: reason }, label: reason }),
        ),
        'Upload URLs rejected, by reason': syncRejections.map((reason) =>
          ownMetric(namespace, 'SyncsRejected', { dimensionsMap: { Reason: reason }, label: reason }),
        ),
      }),
      heading('Are uploads arriving?', 'The overview of `admin console` shows the latest uploads.'),
      row({
        'Upload URLs and uploads': [
          count('SyncsIssued', 'URLs issued'),
          count('UploadsCompleted', 'uploads completed'),
          count('UploadsCancelled', 'URLs cancelled'),
          count('UploadsExpired', 'URLs expired unused'),
        ],
        'Bytes of completed uploads': [count('UploadBytes', 'bytes')],
        'Uploads that were not recorded by their events': [
          deadLetterQueue.metricApproximateNumberOfMessagesVisible({
            period,
            statistic: 'Maximum',
            label: 'events in the dead-letter queue',
          }),
          count('UploadsReconciled', 'uploads reconciled'),
          count('UploadEventsMissing', 'uploads reconciled before they were due'),
        ],
        'Lag of the reconciliation, in seconds': [
          ownMetric(namespace, 'DueUploadsAge', { statistic: 'Maximum', label: 'age of the oldest upload' }),
        ],
      }),
      heading('How old are the signing keys?', '`admin signing-key list` shows each key.'),
      row({
        'Age of the signing keys, in seconds': [
          ownMetric(namespace, 'SigningKeysAge', { statistic: 'Maximum', label: 'age' }),
        ],
        'Refreshes and rotations that failed': [
          count('RefreshesFailed', 'refreshes'),
          rotation.function.metricErrors({ period, label: 'rotations' }),
        ],
      }),
    ],
  });
}

function heading(question: string, hint: string): IWidget[] {
  return [new TextWidget({ markdown: `## ${question}\n${hint}`, width: fullWidth, height: 2 })];
}

/** Returns graphs in one row, by their titles. */
function row(pictures: Readonly<Record<string, IMetric[]>>): IWidget[] {
  const entries = Object.entries(pictures);
  const width = fullWidth / entries.length;
  return entries.map(
    ([title, left]) => new GraphWidget({ title, left, leftYAxis: { min: 0, showUnits: false }, width }),
  );
}
