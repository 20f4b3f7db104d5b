import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface AlarmsProps {
  readonly apiId: string;
  readonly deadLetterQueue: Queue;
  readonly secondVersions: Metric;
}

/** The alarms of the service. They have no actions: operators add whom to notify. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { apiId, deadLetterQueue, secondVersions }: AlarmsProps) {
    super(scope, id);
    const period = Duration.minutes(5);
    this.raiseAbove(0, 'UploadsNotRecorded', {
      description: 'Uploads arrived that could not be recorded: mend the cause, then replay the dead letters',
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    });
    this.raiseAbove(0, 'SecondVersions', {
      description:
        'An upload URL was used twice: see the page on operations. The first upload stays the content',
      metric: secondVersions.with({ period, statistic: 'Sum' }),
    });
    this.raiseAbove(5, 'ServerErrors', {
      description: 'The API answers with server errors: see the logs of its functions',
      metric: new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: '5xx',
        dimensionsMap: { ApiId: apiId },
        period,
        statistic: 'Sum',
      }),
    });
  }

  private raiseAbove(
    threshold: number,
    id: string,
    { description, metric }: { readonly description: string; readonly metric: Metric },
  ): void {
    new Alarm(this, id, {
      alarmDescription: description,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // Without requests, dead letters or incidents there is no data, and nothing is wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
