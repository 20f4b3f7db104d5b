import { fileURLToPath } from 'node:url';
import { Aws, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface ConsumerStackProps extends StackProps {
  /** Output `EventBusName` of the file sync stack. */
  readonly eventBusName: string;
  /** Output `BucketName` of the file sync stack. */
  readonly bucketName: string;
}

/** Keeps a catalogue of the newest content of each file, from the events of completed uploads. */
export class ConsumerStack extends Stack {
  constructor(scope: Construct, id: string, { eventBusName, bucketName, ...props }: ConsumerStackProps) {
    super(scope, id, props);
    const catalogue = this.table('Catalogue', 'file_id');
    const handled = this.table('Handled', 'event_id');
    const deadLetters = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const consume = new Lambda(this, 'Consume', {
      description: 'Writes completed uploads into the catalogue',
      code: Code.fromAsset(fileURLToPath(new URL('handler', import.meta.url))),
      handler: 'consume.handler',
      runtime: Runtime.NODEJS_24_X,
      // To read 5 GiB.
      timeout: Duration.minutes(15),
      environment: { CATALOGUE_TABLE_NAME: catalogue.tableName, HANDLED_TABLE_NAME: handled.tableName },
      deadLetterQueue: deadLetters,
    });
    const uploads = `arn:${Aws.PARTITION}:s3:::${bucketName}/uploads/*`;
    consume.addToRolePolicy(new PolicyStatement({ actions: ['s3:GetObjectVersion'], resources: [uploads] }));
    catalogue.grant(consume, 'dynamodb:UpdateItem', 'dynamodb:GetItem');
    handled.grant(consume, 'dynamodb:PutItem');
    new Rule(this, 'UploadCompleted', {
      description: 'Completed uploads, in the version of the schema that the function knows',
      eventBus: EventBus.fromEventBusName(this, 'Bus', eventBusName),
      eventPattern: {
        source: ['file-sync-api'],
        detailType: ['Upload Completed'],
        detail: { schema_version: [1] },
      },
      targets: [new LambdaFunction(consume, { deadLetterQueue: deadLetters })],
    });
  }

  // A table is retained when its stack is deleted, unless `removalPolicy` says otherwise.
  private table(id: string, key: string): Table {
    return new Table(this, id, {
      partitionKey: { name: key, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'delete_after',
    });
  }
}
