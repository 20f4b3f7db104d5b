import { Aws, Fn } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { eventSource } from '../contract/upload-events.ts';
import { allow } from './allow.ts';

/**
 * The bus on which the service says what became of each upload (docs/events.md). Rules on it belong to whoever uses the
 * uploads, in stacks of their own.
 */
export class UploadEvents extends Construct {
  readonly eventBusName: string;
  private readonly eventBusArn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bus = new EventBus(this, 'Bus', {
      // A bus needs a name. The name of the stack is unique enough.
      eventBusName: Fn.join('-', [Aws.STACK_NAME, 'uploads']),
      description: 'What became of each upload of the file sync API',
    });
    this.eventBusName = bus.eventBusName;
    this.eventBusArn = bus.eventBusArn;
  }

  /** Allows sending events of this service, and none that claim another source. */
  grantAnnounce(grantee: IGrantable): void {
    allow(grantee, ['events:PutEvents'], this.eventBusArn, {
      StringEquals: { 'events:source': eventSource },
    });
  }
}
