import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { grantRecording, type RecordingProps, recordingEnvironment } from './recording.ts';
import { backgroundFunction, ServiceFunction } from './service-function.ts';

/** Interval between two runs. A run ends before the next one begins. */
const interval = Duration.minutes(5);

/**
 * Memory that corresponds to one core (Lambda, "Configure Lambda function memory"), the most that Node.js
 * uses. With many due uploads, the function computes rather than waits, so half of the memory would take
 * twice the time for the same price. At 200 uploads a second, much of the core is idle (docs/cost.md lists
 * the CPU time of each check).
 */
const oneCore = 1769;

/**
 * Checks every due upload: it records objects in the bucket, finds unused URLs, and deletes replaced content.
 * So no upload depends on its event: AWS may lose the event, or remove a dead letter after 14 days.
 */
export class UploadReconciler extends Construct {
  readonly function: IFunction;
  /** Schedule that runs the function. */
  readonly rule: Rule;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: RecordingProps) {
    super(scope, id);
    const { function: reconcile, logGroup } = this.reconcileFunction(props);
    this.function = reconcile;
    this.logGroup = logGroup;
    // A failed run is not retried: an upload stays due until it is done, and the next run checks it.
    reconcile.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: interval });
    this.rule = new Rule(this, 'Schedule', {
      description: 'Time to look at the uploads that are due',
      schedule: Schedule.rate(interval),
      targets: [new LambdaFunction(reconcile, { retryAttempts: 0, maxEventAge: interval })],
    });
  }

  private reconcileFunction(props: RecordingProps): ServiceFunction {
    const { lifecycle } = props;
    const reconcile = new ServiceFunction(this, 'Reconcile', {
      name: 'reconcile-uploads',
      description: 'Records uploads whose events were lost or that nobody used, and deletes replaced content',
      lifecycle,
      ...backgroundFunction,
      memorySize: oneCore,
      timeout: interval,
      environment: {
        ...recordingEnvironment(Stack.of(this), props),
        uploadRecordRetentionDays: String(props.configuration.uploadRecordRetentionDays),
      },
    });
    grantRecording(reconcile, props, 'dynamodb:BatchGetItem');
    props.bucket.grantHeadUploads(reconcile.role);
    props.bucket.grantDeleteReplaced(reconcile.role);
    props.uploads.grantListDue(reconcile.role);
    return reconcile;
  }
}
