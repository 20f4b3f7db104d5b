import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { objectKeyPrefix } from '../storage/object-key.ts';
import type { Lifecycle } from './lifecycle.ts';
import { grantRecording, type RecordingProps, recordingEnvironment } from './recording.ts';
import { backgroundFunction, ServiceFunction } from './service-function.ts';
import type { UploadsBucket } from './uploads-bucket.ts';

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
    this.deadLetterQueue = this.makeDeadLetterQueue(props.lifecycle);
    const record = this.recordFunction(props);
    this.function = record.function;
    this.logGroup = record.logGroup;
    this.rule = this.listen(record, props.bucket);
  }

  private makeDeadLetterQueue(lifecycle: Lifecycle): Queue {
    const queue = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // SQS's maximum retention: within two weeks, an operator can fix the cause and replay the events.
      retentionPeriod: Duration.days(14),
      removalPolicy: lifecycle.removalPolicy,
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is a dead-letter queue itself: of an EventBridge rule and a function, which are no queues.',
    });
    return queue;
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
