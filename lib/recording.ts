import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { objectKeyPrefix } from '../storage/object-key.ts';
import type { Lifecycle } from './lifecycle.ts';
import {
  backgroundFunction,
  metricsNamespaceOf,
  ServiceFunction,
  type ServiceFunctionProps,
} from './service-function.ts';
import type { Configuration } from './settings.ts';
import type { FilesTable, ReadAction, UploadsTable } from './tables.ts';
import type { UploadEvents } from './upload-events.ts';
import type { UploadsBucket } from './uploads-bucket.ts';

/** Properties of a construct whose function records uploads. */
interface RecordingProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly bucket: UploadsBucket;
  readonly files: FilesTable;
  readonly uploads: UploadsTable;
  readonly events: UploadEvents;
}

/** Returns the variables that `lambdas/shared/recording/open-recording.ts` reads. */
function recordingEnvironment(
  scope: Construct,
  { configuration, bucket, files, uploads, events }: RecordingProps,
): ServiceFunctionProps['environment'] {
  return {
    filesTableName: files.tableName,
    uploadsTableName: uploads.tableName,
    bucketName: bucket.bucketName,
    eventBusName: events.eventBusName,
    metricsNamespace: metricsNamespaceOf(scope, configuration),
  };
}

/** Allows a function to record uploads with `lambdas/shared/recording/`. */
function grantRecording(
  { role }: ServiceFunction,
  { bucket, files, uploads, events }: RecordingProps,
  read: ReadAction,
): void {
  files.grantPointAtContent(role, read);
  uploads.grantRecordOutcome(role, read);
  bucket.grantReadFacts(role);
  events.grantAnnounce(role);
}

/**
 * Records each new object of the bucket. An event ends in the dead-letter queue if EventBridge cannot deliver it, or if
 * the function still fails after Lambda's two retries. An operator can replay it from there.
 */
export class UploadRecorder extends Construct {
  readonly function: LambdaFunction;
  readonly deadLetterQueue: Queue;
  /** Rule for new objects in the bucket. */
  readonly rule: Rule;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: RecordingProps) {
    super(scope, id);
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // SQS's maximum retention: within two weeks, an operator can fix the cause and replay the events.
      retentionPeriod: Duration.days(14),
      removalPolicy: props.lifecycle.removalPolicy,
    });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue itself: of an EventBridge rule and a function, which are no queues.',
    });
    const record = this.recordFunction(props);
    this.function = record.function;
    this.logGroup = record.logGroup;
    this.rule = this.listen(record, props.bucket);
  }

  private recordFunction(props: RecordingProps): ServiceFunction {
    const { lifecycle } = props;
    const record = new ServiceFunction(this, 'Record', {
      name: 'record-upload',
      description: 'Records uploads that have arrived',
      lifecycle,
      ...backgroundFunction,
      environment: recordingEnvironment(Stack.of(this), props),
      deadLetterQueue: this.deadLetterQueue,
    });
    grantRecording(record, props, 'dynamodb:GetItem');
    return record;
  }

  private listen(record: ServiceFunction, bucket: UploadsBucket): Rule {
    return new Rule(this, 'ObjectCreated', {
      description: 'A new object in the uploads bucket',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucket.bucketName] }, object: { key: [{ prefix: objectKeyPrefix }] } },
      },
      targets: [
        new FunctionTarget(record.function, {
          deadLetterQueue: this.deadLetterQueue,
          // The maximums of EventBridge: an upload whose event is lost must wait for the reconciliation. They
          // apply until Lambda accepts the event. Lambda keeps the events of a throttled function for six
          // hours (docs/aws-facts.md, `lambda-async-throttled`).
          maxEventAge: Duration.hours(24),
          retryAttempts: 185,
        }),
      ],
    });
  }
}

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
 * Checks every due upload: it records objects in the bucket, finds unused URLs, and deletes replaced content. So no
 * upload depends on its event: AWS may lose the event, or remove a dead letter after 14 days. Also announces overdue
 * files.
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
      targets: [new FunctionTarget(reconcile, { retryAttempts: 0, maxEventAge: interval })],
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
    props.files.grantListExpected(reconcile.role);
    return reconcile;
  }
}
