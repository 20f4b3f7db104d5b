import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { grantRecording, type RecordingProps, recordingEnvironment } from './recording.ts';
import { backgroundFunction, ServiceFunction } from './service-function.ts';

/** How often due uploads are looked at. A run ends before the next one begins. */
const interval = Duration.minutes(5);

/**
 * The memory that gives one core (Lambda, "Configure Lambda function memory"); Node.js uses no more. The function does
 * not wait but computes while much is due, so half of the memory would take twice the time for the same price. With 200
 * uploads a second, much of the core is left (docs/cost.md has the CPU time of each look).
 */
const oneCore = 1769;

/**
 * Looks at every upload that is due: it records what is in the bucket, finds URLs that nobody used, and deletes
 * replaced content. So no upload depends on its event: AWS may lose the event, or remove a dead letter after 14 days.
 */
export class UploadReconciler extends Construct {
  readonly function: IFunction;
  /** Runs the function again and again. */
  readonly rule: Rule;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: RecordingProps) {
    super(scope, id);
    const { function: reconcile, logGroup } = this.reconcileFunction(props);
    this.function = reconcile;
    this.logGroup = logGroup;
    // An upload stays due until it is done, so a failed run is not repeated: the next run does the work.
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
