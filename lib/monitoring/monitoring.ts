import { Stack } from 'aws-cdk-lib';
import { Alarm, CfnCompositeAlarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { alarmTopics } from './alarm-topic.ts';
import { createDashboard } from './dashboard.ts';
import type { AlarmDefinition, MonitoringSettings, PageName } from './definition.ts';
import { alarmDefinitions } from './definitions.ts';
import { type PageDefinition, pages, suppression } from './pages.ts';
import { filteredMetrics, type MonitoredResources, resolveMeasure, withoutGaps } from './resolve-metric.ts';

export interface MonitoringProps extends MonitoredResources {
  readonly configuration: MonitoringSettings;
  /** Log group of the API's access log. */
  readonly accessLog: ILogGroup;
  /** Log group of the function `token`. */
  readonly tokenLog: ILogGroup;
}

/**
 * The alarms of the service, whom they notify, and the dashboard. All are made of `definitions.ts`. Alarms notify nobody
 * themselves: the pages, which are composite alarms, do (docs/decisions/0028).
 */
export class Monitoring extends Construct {
  readonly dashboardName: string;
  /** Those that take back a deployment during which they are raised. */
  readonly rollbackAlarms: readonly Alarm[];
  private readonly props: MonitoringProps;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    this.props = props;
    this.countThrottledRequests();
    const definitions = alarmDefinitions(props.configuration);
    const topics = alarmTopics(this, props.configuration);
    const alarms = definitions.map((definition) => ({ definition, alarm: this.alarm(definition, topics) }));
    this.rollbackAlarms = alarms
      .filter(({ definition }) => rollbackAlarms.has(definition.id))
      .map(({ alarm }) => alarm);
    const made = new Map<PageName, CfnCompositeAlarm>();
    for (const [name, page] of Object.entries(pages) as [PageName, PageDefinition][]) {
      const causes = alarms.filter(({ definition }) => definition.page === name).map(({ alarm }) => alarm);
      made.set(name, this.page(name, page, causes, made, topics));
    }
    const dashboard = createDashboard(this, {
      resources: props,
      definitions,
      alarms: alarms.map(({ alarm }) => alarm),
      tokenLog: props.tokenLog,
    });
    this.dashboardName = dashboard.dashboardName;
  }

  /** Of every 429 in the access log, with its route. A route is one of the contract's, so their number is bounded. */
  private countThrottledRequests(): void {
    new MetricFilter(this, 'ThrottledRequests', {
      logGroup: this.props.accessLog,
      filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
      metricNamespace: Stack.of(this).stackName,
      metricName: filteredMetrics.throttled,
      dimensions: { Route: '$.route' },
    });
  }

  /** People hear when trouble begins, and when it is over. */
  private alarm(definition: AlarmDefinition, topics: readonly string[]): Alarm {
    const { id, period, datapoints, comparison, missing, threshold, page } = definition;
    const alarm = new Alarm(this, id, {
      alarmDescription: describe(definition),
      metric: resolveMeasure(withoutGaps(definition), period, this.props, this),
      threshold,
      comparisonOperator:
        comparison === 'above'
          ? ComparisonOperator.GREATER_THAN_THRESHOLD
          : ComparisonOperator.LESS_THAN_THRESHOLD,
      datapointsToAlarm: datapoints[0],
      evaluationPeriods: datapoints[1],
      treatMissingData: missingData[missing],
    });
    if (page === 'own' && topics.length > 0) {
      const actions = topics.map((topicArn) => ({ bind: () => ({ alarmActionArn: topicArn }) }));
      alarm.addAlarmAction(...actions);
      alarm.addOkAction(...actions);
    }
    return alarm;
  }

  private page(
    name: PageName,
    { means, runbook, suppressedBy }: PageDefinition,
    causes: readonly Alarm[],
    made: ReadonlyMap<PageName, CfnCompositeAlarm>,
    topics: readonly string[],
  ): CfnCompositeAlarm {
    const suppressor = suppressedBy && made.get(suppressedBy);
    // The CDK's own construct would give it a fixed name.
    return new CfnCompositeAlarm(this, name, {
      alarmDescription: `${means}. ${runbookSentence(runbook)}`,
      alarmRule: causes.map(({ alarmArn }) => `ALARM("${alarmArn}")`).join(' OR '),
      ...(suppressor && {
        actionsSuppressor: suppressor.attrArn,
        actionsSuppressorWaitPeriod: suppression.wait,
        actionsSuppressorExtensionPeriod: suppression.extension,
      }),
      ...(topics.length > 0 && { alarmActions: [...topics], okActions: [...topics] }),
    });
  }
}

/** What a bad release does to clients. The other alarms have causes that a release before it would not mend. */
const rollbackAlarms: ReadonlySet<string> = new Set(['ServerErrors', 'SlowAnswers']);

const missingData = {
  notBreaching: TreatMissingData.NOT_BREACHING,
  breaching: TreatMissingData.BREACHING,
  ignore: TreatMissingData.IGNORE,
} as const;

/** What happened and what to do, for a mail and for the console. */
function describe({ means, todo, runbook }: AlarmDefinition): string {
  return `${means}. ${todo}. ${runbookSentence(runbook)}`;
}

function runbookSentence(runbook: string): string {
  return `Runbook: docs/runbooks/${runbook}.md`;
}
